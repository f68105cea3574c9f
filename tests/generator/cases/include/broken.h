#pragma once

missing_t f(void);
