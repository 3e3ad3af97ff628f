# Adding up rows of weights: where a network spends its time. Written in C because it is compiled once for each
# width of vectors, and the machine that runs it takes the widest that it has: what ships is made for all machines.
# What is added up is so in the same order, whatever the width, so that all of them say the same.

cdef extern from * nogil:
    """
    #include <math.h>
    #include <string.h>
    #define LANES 16
    #define MOST_ROWS 1536

    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define WIDEST_VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
    #define WITHIN static inline __attribute__((always_inline))
    #else
    #define WIDEST_VECTORS
    #define WITHIN static inline
    #endif

    #ifdef __GNUC__
    typedef float Lanes __attribute__((vector_size(4 * LANES)));

    /* Four vectors of each row at once: they stay in the processor while the rows go by. */
    WITHIN Py_ssize_t add_wide(
        const float *weights, const unsigned short *rows, const float *much, Py_ssize_t count,
        Py_ssize_t width, float *x
    ) {
        Py_ssize_t first = 0;
        for (; first + 4 * LANES <= width; first += 4 * LANES) {
            Lanes a, b, c, d, w;
            memcpy(&a, x + first, sizeof w);
            memcpy(&b, x + first + LANES, sizeof w);
            memcpy(&c, x + first + 2 * LANES, sizeof w);
            memcpy(&d, x + first + 3 * LANES, sizeof w);
            for (Py_ssize_t k = 0; k < count; k++) {
                const float *row = weights + rows[k] * width + first;
                memcpy(&w, row, sizeof w);
                a += much[k] * w;
                memcpy(&w, row + LANES, sizeof w);
                b += much[k] * w;
                memcpy(&w, row + 2 * LANES, sizeof w);
                c += much[k] * w;
                memcpy(&w, row + 3 * LANES, sizeof w);
                d += much[k] * w;
            }
            memcpy(x + first, &a, sizeof w);
            memcpy(x + first + LANES, &b, sizeof w);
            memcpy(x + first + 2 * LANES, &c, sizeof w);
            memcpy(x + first + 3 * LANES, &d, sizeof w);
        }
        return first;
    }
    #else
    #define add_wide(...) 0
    #endif

    /* Adds as much of each row as its feature says: most are zero, and their number is a multiple of eight. */
    WIDEST_VECTORS
    static void add_seen(
        const float *weights, const unsigned char *features, Py_ssize_t count, Py_ssize_t width, float *x
    ) {
        unsigned short rows[MOST_ROWS];
        float much[MOST_ROWS];
        Py_ssize_t found = 0;
        for (Py_ssize_t i = 0; i < count; i += 8) {
            unsigned long long eight;
            memcpy(&eight, features + i, 8);
            for (Py_ssize_t j = i; eight && j < i + 8; j++)
                if (features[j]) {
                    rows[found] = (unsigned short)j;
                    much[found++] = features[j];
                }
        }
        const Py_ssize_t rest = add_wide(weights, rows, much, found, width, x);
        for (Py_ssize_t k = 0; k < found; k++)
            for (Py_ssize_t i = rest; i < width; i++)
                x[i] += much[k] * weights[rows[k] * width + i];
    }

    /* Adds as much of each row as y says, four rows at a time and one after the other, as they lie in memory. */
    WIDEST_VECTORS
    static void add_layer(const float *restrict weights, Py_ssize_t width, const float *restrict y, float *restrict z) {
        for (Py_ssize_t j = 0; j < width; j += 4) {
            const float *restrict row = weights + j * width;
            for (Py_ssize_t i = 0; i < width; i++)
                z[i] += y[j] * row[i] + y[j + 1] * row[width + i]
                    + y[j + 2] * row[2 * width + i] + y[j + 3] * row[3 * width + i];
        }
    }

    WITHIN float add_up(float *sums) {
        for (Py_ssize_t half = LANES / 2; half; half /= 2)
            for (Py_ssize_t j = 0; j < half; j++)
                sums[j] += sums[half + j];
        return sums[0];
    }

    /* Adds up so many sums, each of every sixteenth product, and then those. */
    WITHIN float sum_of_products(const float *one, const float *other, Py_ssize_t width) {
        float sums[LANES] = {0};
        for (Py_ssize_t i = 0; i < width; i += LANES)
            for (Py_ssize_t j = 0; j < LANES; j++)
                sums[j] += one[i + j] * other[i + j];
        return add_up(sums);
    }

    WIDEST_VECTORS
    static float sum_products(const float *one, const float *other, Py_ssize_t width) {
        return sum_of_products(one, other, width);
    }

    /* Writes the numbers moved and stretched to a mean of 0 and a variance of 1. */
    WIDEST_VECTORS
    static void normalise(const float *x, Py_ssize_t width, float smallest, float *y) {
        float sums[LANES] = {0}, mean, stretch;
        for (Py_ssize_t i = 0; i < width; i += LANES)
            for (Py_ssize_t j = 0; j < LANES; j++)
                sums[j] += x[i + j];
        mean = add_up(sums) / width;
        for (Py_ssize_t i = 0; i < width; i++)
            y[i] = x[i] - mean;
        stretch = 1 / sqrtf(sum_of_products(y, y, width) / width + smallest);
        for (Py_ssize_t i = 0; i < width; i++)
            y[i] *= stretch;
    }
    """
    const int LANES
    void add_seen(
        const float *weights, const unsigned char *features, Py_ssize_t count, Py_ssize_t width, float *x
    ) noexcept
    void add_layer(const float *weights, Py_ssize_t width, const float *y, float *z) noexcept
    float sum_products(const float *one, const float *other, Py_ssize_t width) noexcept
    void normalise(const float *x, Py_ssize_t width, float smallest, float *y) noexcept
