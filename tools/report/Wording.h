// SPDX-License-Identifier: Apache-2.0
//
// The words of a story: places, actions and failures in plain English, without internal names.
#pragma once

#include "tools/report/Story.h"

#include <string>
#include <vector>

namespace understudy::tools::report {

/// What the threads of a trace are called, made once: a trace may have very many.
class ThreadNames {
public:
  ThreadNames(const compose::Program &program, const compose::Trace &trace);
  /// "PnpAdd #2", or "PnpStop" when the trace has only one thread of that template.
  std::string of(const compose::Thread &thread) const;

private:
  const compose::Program &program_;
  std::vector<std::vector<uint32_t>> numbers_; ///< by template, ascending
};

/// Does the program name threads by id (so that a reader needs to see them)?
bool speaksOfIds(const compose::Program &program);

/// Is the thread a state machine of a contract? Otherwise it consists of statements, of CONC or C.
bool isStateMachine(const compose::Program &program, compose::TemplateId kind);

/// The locals of a C function are the compiler's, not the user's: a story does not show them.
bool showsLocals(const compose::Program &program, compose::TemplateId kind);

/// A contract's assertion is false in a state: an error edge, but no step that anyone takes.
bool isStateAssertion(const compose::Program &program, const compose::Step &step);

/// "Working", "line 12", "waiting on c".
std::string placeText(const compose::Program &program, const compose::Thread &thread);

/// What the user wrote for this step, without remarks about which half of it is taken.
std::string stepText(const compose::Program &program, const compose::Edge &edge);

/// The formula of a claim, without the keyword in front and the semicolon behind.
std::string claimText(const std::string &text);

/// What a step does besides changing variables: "creates w #2", "takes m", "wakes w #1 and w #3".
std::vector<std::string> notesOf(const compose::Program &program, compose::TemplateId kind,
                                 const compose::Edge &edge, const StoryStep &step);

/// One sentence that says what is wrong at the end of the trace.
std::string failureSentence(const compose::Program &program, const compose::Trace &trace,
                            const ThreadNames &names);

} // namespace understudy::tools::report
