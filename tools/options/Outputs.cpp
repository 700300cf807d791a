// SPDX-License-Identifier: Apache-2.0
#include "tools/options/Outputs.h"

#include "logic/Error.h"
#include "tools/options/Words.h"

#include <algorithm>
#include <filesystem>

namespace understudy::tools::options {

namespace fs = std::filesystem;

namespace {

/// A file that is to be written, and the option as the user gave it.
struct Place {
  std::string option;
  std::string path;
};

std::vector<Place> placesOf(const Options &options) {
  std::vector<Place> places;
  for (const OutputFile &output : options.outputs)
    places.push_back({"-o " + wordOf(output.kind) + "=" + output.path, output.path});
  if (options.output)
    places.push_back({"-o " + *options.output, *options.output});
  return places;
}

/// A device or a pipe keeps nothing that could be lost.
bool isDevice(const std::string &path) {
  std::error_code failed;
  return fs::is_other(fs::status(path, failed));
}

fs::path wholePath(const std::string &path) {
  std::error_code failed;
  fs::path whole = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return whole.has_filename() ? whole : whole.parent_path();
}

/// Hard links are one file; what is not there yet has only its name.
bool isSameFile(const std::string &a, const std::string &b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) || wholePath(a) == wholePath(b);
}

bool isInside(const std::string &path, const std::string &folder) {
  const fs::path inner = wholePath(path);
  const fs::path outer = wholePath(folder);
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

void refuseTwice(const std::vector<Place> &places) {
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!isDevice(places[i].path) && isSameFile(places[i].path, places[j].path))
        throw logic::Error(
            {}, places[i].option + " would overwrite what " + places[j].option + " writes",
            "give each its own file");
}

} // namespace

void refuseOverwriting(const Options &options, const std::vector<std::string> &inputs) {
  for (const std::string &input : inputs) {
    for (const Place &place : placesOf(options))
      if (isSameFile(place.path, input))
        throw logic::Error({}, place.option + " would overwrite the input '" + input + "'",
                           "give another file");
    if (options.certificate && isInside(input, *options.certificate))
      throw logic::Error({},
                         "--certificate " + *options.certificate + " would overwrite the input '" +
                             input + "'",
                         "give another folder");
  }
}

void refuseOverwriting(const Options &options) {
  if (options.command == CommandName::Validate)
    return; // it writes nothing
  std::vector<std::string> inputs = options.files;
  inputs.push_back(options.file);
  if (fs::path(options.file).extension() == ".tts" && !options.target)
    inputs.push_back(fs::path(options.file).replace_extension(".prop").string());
  refuseOverwriting(options, inputs);
  const std::vector<Place> places = placesOf(options);
  refuseTwice(places);
  for (const Place &place : places)
    if (options.certificate && isInside(place.path, *options.certificate))
      throw logic::Error({}, place.option + " is in the folder of --certificate",
                         "give a file outside of it");
}

} // namespace understudy::tools::options
