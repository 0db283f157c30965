/// The mark that default functions leave in a def, so that one which was not made by them is found
/// out.
#pragma once

#define DEW_COOKIE 0x64657721  // "dew!"
