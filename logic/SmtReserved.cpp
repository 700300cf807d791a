#include "logic/SmtReserved.h"
namespace understudy::logic { bool isReservedInSmtLib(std::string_view name) { return name == "select"; } }
