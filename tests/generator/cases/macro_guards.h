#ifndef CASE_GUARD_H
#define CASE_GUARD_H
#pragma once
#define NO_GUARD
int f(void);
#endif
