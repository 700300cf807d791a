// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/DotText.h"

#include "tools/report/Columns.h"

namespace understudy::tools::exports {

std::string dotEscaped(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string dotLines(const std::string &text, size_t width, const std::string &lineEnd) {
  // First into pieces that should stay together, then pieces into lines.
  std::vector<std::string> pieces(1);
  for (const std::string &word : report::words(text)) {
    bool connective = word == "&&" || word == "||" || word == "=>";
    bool tooLong = report::columns(pieces.back()) + report::columns(word) > width + width / 3;
    if (!pieces.back().empty() && (connective || tooLong))
      pieces.emplace_back();
    pieces.back() += (pieces.back().empty() ? "" : " ") + word;
  }
  std::string result;
  std::string line;
  for (const std::string &piece : pieces) {
    if (!line.empty() && report::columns(line) + 1 + report::columns(piece) > width) {
      result += dotEscaped(line) + lineEnd;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + piece;
  }
  return line.empty() ? result : result + dotEscaped(line) + lineEnd;
}

std::string dotId(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string dotHead(const std::string &name) {
  return "digraph " + dotId(name) +
         " {\n"
         "  graph [fontname=\"Helvetica\", fontsize=12, nodesep=0.5, ranksep=0.45, "
         "labeljust=l, bgcolor=white];\n"
         "  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", "
         "fillcolor=\"#f7f9fc\", color=\"#34495e\", margin=\"0.14,0.07\"];\n"
         "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#34495e\", arrowsize=0.7];\n";
}

} // namespace understudy::tools::exports
