// SPDX-License-Identifier: Apache-2.0
#include "logic/Log.h"

#include <array>
#include <atomic>
#include <iostream>

namespace understudy::logic {

namespace {

constexpr size_t topicCount = static_cast<size_t>(Topic::Cover) + 1;
std::array<std::atomic<uint8_t>, topicCount> levels{};
thread_local Topic current = Topic::Files;

std::atomic<uint8_t> &levelOf(Topic topic) { return levels.at(static_cast<size_t>(topic)); }

} // namespace

const std::vector<std::pair<Topic, std::string>> &topics() {
  static const std::vector<std::pair<Topic, std::string>> all{
      {Topic::Files, "files"},       {Topic::Conform, "conform"}, {Topic::Auto, "auto"},
      {Topic::Explicit, "explicit"}, {Topic::Count, "count"},     {Topic::Refine, "refine"},
      {Topic::Cover, "cover"}};
  return all;
}

std::string word(Topic topic) { return topics().at(static_cast<size_t>(topic)).second; }

void setLogLevel(Topic topic, uint8_t level) { levelOf(topic) = level; }
bool isLogged(Topic topic, uint8_t level) { return level <= levelOf(topic); }

void writeLog(Topic topic, const std::string &line) {
  std::cerr << word(topic) + ": " + line + "\n"; // one write: the stream has no buffer
}

Topic currentTopic() { return current; }

LogScope::LogScope(Topic topic) : before_(std::exchange(current, topic)) {}
LogScope::~LogScope() { current = before_; }

} // namespace understudy::logic
