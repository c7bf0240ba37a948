#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace backplane::fuzz {

/// Reads bytes as every struct of the Backend API that hosts and processes of backends send each
/// other. What is wrong with one that was taken; "" unless the reader is wrong.
std::string ReadAsEveryMessage(std::string_view bytes);

/// Good ones of each kind, as they are written.
std::vector<std::string> MakeGoodMessages();

}  // namespace backplane::fuzz
