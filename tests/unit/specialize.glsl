#version 450
/* SPDX-License-Identifier: MIT
 *
 * The library of test_specialize.c. */
layout(local_size_x = 1) in;

uint touched, unread;

uint choose(const uint a, const uint b)
{
    if (a == 3)
        return b;
    return a * b;
}

uint compare(const uint a, const uint b)
{
    if (a == b)
        return b;
    return a * b;
}

/* Where a is 3 the loop has no way back, and is copied as it is. */
uint walk(const uint a, const uint b)
{
    for (uint i = 0; i < b; i++) {
        if (a == 3)
            break;
        touched = i;
    }
    return b;
}

/* Nothing loads `unread`. It has so many other instructions that the call stays. */
uint store(const uint a, const uint b)
{
    unread = a + b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    touched = b;
    return touched;
}

void main() {}
