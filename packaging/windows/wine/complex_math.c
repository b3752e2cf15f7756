/* The functions for complex numbers that numpy imports, which are empty in Wine 8. On Windows a
   `long double` is a `double`, so the functions for it are those for `double`. */
#include <complex.h>
#include <math.h>

typedef struct { float real, imaginary; } single;
typedef struct { double real, imaginary; } number;

/* From a structure of either type to C's complex type, and back. */
#define VALUE(z) __builtin_complex((z).real, (z).imaginary)
#define PARTS(type, value) \
    ({ __auto_type result = (value); (type){__real__ result, __imag__ result}; })

#define OF_ONE(name) \
    single own_##name##f(single z) { return PARTS(single, name##f(VALUE(z))); } \
    number own_##name(number z) { return PARTS(number, name(VALUE(z))); } \
    number own_##name##l(number z) { return own_##name(z); }

#define OF_TWO(name) \
    single own_##name##f(single a, single b) { \
        return PARTS(single, name##f(VALUE(a), VALUE(b))); \
    } \
    number own_##name(number a, number b) { return PARTS(number, name(VALUE(a), VALUE(b))); } \
    number own_##name##l(number a, number b) { return own_##name(a, b); }

#define REAL(name) \
    float own_##name##f(single z) { return name##f(VALUE(z)); } \
    double own_##name(number z) { return name(VALUE(z)); } \
    double own_##name##l(number z) { return own_##name(z); }

OF_ONE(cexp) OF_ONE(clog) OF_ONE(csqrt)
OF_ONE(csin) OF_ONE(ccos) OF_ONE(ctan)
OF_ONE(csinh) OF_ONE(ccosh) OF_ONE(ctanh)
OF_TWO(cpow)
REAL(creal) REAL(cimag) REAL(cabs) REAL(carg)
