// Many tables side by side: on a GPU a thread for each. Without one, in a loop, so that a test can compare.
//
// A thread works on copies of its own. On a GPU such memory is laid out so that threads side by side find what they
// look for side by side; with rows in common memory they would wait for it most of the time.

#include "build/gpu/tables.cuh"

typedef unsigned long long Seed;
typedef struct { unsigned int of[2]; } __attribute__((aligned(8))) Two;
typedef struct { unsigned int of[4]; } __attribute__((aligned(16))) Four;

enum { THREADS = 128, MOST_STATE = 1536, MOST_HELPS = 288, MOST_SEEN = 1536, MOST_SECRETS = 1136, MOST_MASK = 296 };

typedef struct {
    unsigned int state[MOST_STATE / 4], helps[MOST_HELPS / 4];
    Four features[MOST_SEEN / 16], secrets[MOST_SECRETS / 16];
    Two mask[MOST_MASK / 8];
    Tables tables; // with this one table
} Own;

ON_GPU APART void fetch(Own *own, Layout *g, const Tables *t, ptrdiff_t i) {
    const unsigned int *states = (const unsigned int *)t->states + i;
    const unsigned int *helps = (const unsigned int *)t->helps + i;
    const int sheet = 2 * t->players + 2;
    for (int k = 0; 4 * k < g->state_size; k++) own->state[k] = states[(ptrdiff_t)k * t->slots];
    for (int k = 0; k < 12 * t->players; k++) own->helps[k] = helps[(ptrdiff_t)k * t->slots];
    own->tables = *t;
    own->tables.states = (unsigned char *)own->state;
    own->tables.helps = (unsigned char *)own->helps;
    own->tables.features = (unsigned char *)own->features;
    own->tables.secrets = (unsigned char *)own->secrets;
    own->tables.masks = (unsigned char *)own->mask;
    own->tables.lacks += i * t->players;
    own->tables.turns += i;
    own->tables.ends += i;
    own->tables.learners += i;
    own->tables.over += i;
    own->tables.chances += i;
    own->tables.games += i;
    own->tables.counts += i;
    own->tables.still += i;
    own->tables.before += i * sheet;
    own->tables.after += i * sheet;
    own->tables.now += i * sheet;
}

ON_GPU APART void put_back(const Own *own, Layout *g, const Tables *t, ptrdiff_t i) {
    unsigned int *states = (unsigned int *)t->states + i;
    unsigned int *helps = (unsigned int *)t->helps + i;
    const int seen = count_features(t->players) / 16, secret = count_secrets(t->players) / 16;
    const int actions = count_actions(t->players) / 8;
    for (int k = 0; 4 * k < g->state_size; k++) states[(ptrdiff_t)k * t->slots] = own->state[k];
    for (int k = 0; k < 12 * t->players; k++) helps[(ptrdiff_t)k * t->slots] = own->helps[k];
    if (t->over[i]) return; // nothing was written
    for (int k = 0; k < seen; k++) ((Four *)t->features)[i * seen + k] = own->features[k];
    for (int k = 0; k < secret; k++) ((Four *)t->secrets)[i * secret + k] = own->secrets[k];
    for (int k = 0; k < actions; k++) ((Two *)t->masks)[i * actions + k] = own->mask[k];
}

#ifdef __CUDACC__

#define FOR_EACH_TABLE(name, parameters, line)                                                    \
    __global__ void __launch_bounds__(THREADS)                                                    \
        name##_all(Layout *g, const Tables tables, parameters) {                                  \
        ptrdiff_t i = (ptrdiff_t)blockIdx.x * THREADS + threadIdx.x;                              \
        if (i < tables.slots) {                                                                   \
            Own own;                                                                              \
            Tables *t = &own.tables;                                                              \
            fetch(&own, g, &tables, i);                                                           \
            line;                                                                                 \
            put_back(&own, g, &tables, i);                                                        \
        }                                                                                         \
    }
#define CALL(name, ...)                                                                           \
    name##_all<<<(tables->slots + THREADS - 1) / THREADS, THREADS, 0, (cudaStream_t)queue>>>(     \
        layout, *tables, __VA_ARGS__);                                                            \
    return (int)cudaGetLastError();
#define COUNT(where) atomicAdd(where, 1)
#define PREPARE return (int)cudaDeviceSetLimit(cudaLimitStackSize, 32768);

#else

#define FOR_EACH_TABLE(name, parameters, line)                                                    \
    static void name##_all(Layout *g, Tables *tables, parameters) {                               \
        for (ptrdiff_t i = 0; i < tables->slots; i++) {                                           \
            Own own;                                                                              \
            Tables *t = &own.tables;                                                              \
            fetch(&own, g, tables, i);                                                            \
            line;                                                                                 \
            put_back(&own, g, tables, i);                                                         \
        }                                                                                         \
    }
#define CALL(name, ...)                                                                           \
    (void)queue;                                                                                  \
    name##_all(layout, tables, __VA_ARGS__);                                                      \
    return 0;
#define COUNT(where) ++*(where)
#define PREPARE return 0;

#endif

#define TWO(one, other) one, other
#define FOUR(one, two, three, four) one, two, three, four

FOR_EACH_TABLE(start, Seed seed, start_game(g, t, 0, stream(seed, i), 0))
FOR_EACH_TABLE(start_games, TWO(const Seed *seeds, const unsigned char *learners),
               start_game(g, t, 0, seeds[i], learners[i]))
FOR_EACH_TABLE(play_on, TWO(int most, Seed seed), play_some(g, t, 0, most, stream(seed, i)))
FOR_EACH_TABLE(step, TWO(const int *actions, int *wrong),
               if (step_one(g, t, 0, actions[i])) COUNT(wrong))
#undef put_back
#define put_back(own, g, tables, i) (void)0 // these two write no rows
FOR_EACH_TABLE(choose, int *actions, actions[i] = choose_one(g, t, 0))
FOR_EACH_TABLE(record, FOUR(Seed seed, int *sheets, int most, int *hands_and_winners),
               hands_and_winners[2 * i + 1] =
                   record_one(g, t, 0, stream(seed, i), sheets + i * most * (2 * t->players + 2),
                              most, hands_and_winners + 2 * i))

extern "C" {

// One function calls itself, so that the compiler cannot know how much room all of them need.
int prepare() { PREPARE }
int layout_bytes() { return sizeof(Layout); }
int tables_bytes() { return sizeof(Tables); }

int tables_start(Layout *layout, Tables *tables, void *queue, Seed seed) { CALL(start, seed) }
int tables_start_games(Layout *layout, Tables *tables, void *queue, const Seed *seeds,
                       const unsigned char *learners) {
    CALL(start_games, seeds, learners)
}
int tables_play_on(Layout *layout, Tables *tables, void *queue, int most, Seed seed) {
    CALL(play_on, most, seed)
}
int tables_step(Layout *layout, Tables *tables, void *queue, const int *actions, int *wrong) {
    CALL(step, actions, wrong)
}
int tables_choose(Layout *layout, Tables *tables, void *queue, int *actions) {
    CALL(choose, actions)
}
int tables_record(Layout *layout, Tables *tables, void *queue, Seed seed, int *sheets, int most,
                  int *hands_and_winners) {
    CALL(record, seed, sheets, most, hands_and_winners)
}
}
