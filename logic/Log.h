// SPDX-License-Identifier: Apache-2.0
//
// What the tool does, a line each on standard error, for those who look into it (`--log`). Off
// unless asked for, topic by topic: the only state that all parts share.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace understudy::logic {

/// `Files` is what happens before an engine begins.
enum class Topic : uint8_t { Files, Conform, Auto, Explicit, Count, Refine, Cover };

/// All of them with their words, in the order of help texts.
const std::vector<std::pair<Topic, std::string>> &topics();
std::string word(Topic topic);

/// Levels: each says what the ones before it say, and more.
namespace level {
inline constexpr uint8_t phases = 1, decisions = 2, questions = 3;
}

/// From now on, in all threads.
void setLogLevel(Topic topic, uint8_t level);
bool isLogged(Topic topic, uint8_t level);
/// A line, whole even if others write at the same time.
void writeLog(Topic topic, const std::string &line);

/// What this thread is at.
Topic currentTopic();

/// Until it is gone, this thread is at the topic.
class LogScope {
public:
  explicit LogScope(Topic topic);
  ~LogScope();
  LogScope(const LogScope &) = delete;
  LogScope &operator=(const LogScope &) = delete;

private:
  Topic before_;
};

/// The text is made only if somebody wants it.
template <std::invocable TextOf>
void log(Topic topic, uint8_t level, TextOf textOf) {
  if (isLogged(topic, level))
    writeLog(topic, textOf());
}
template <std::invocable TextOf>
void log(uint8_t level, TextOf textOf) {
  log(currentTopic(), level, textOf);
}

} // namespace understudy::logic
