// Nearest name by optimal string alignment: insertions, deletions, replacements and swaps of
// neighbours [Damerau1964]; letters in either case are equal, and so are '-' and '_'.
#include "dew/text.h"

#include "base/text.h"

#include <string.h>

#define MAX_LENGTH DEW_WORD_SIZE

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

static int min3(int a, int b, int c)
{
    int least = a < b ? a : b;
    return least < c ? least : c;
}

// Edits between a[0..m) and b[0..n), both at most MAX_LENGTH long; more than `bound` once that is
// sure.
static int distance(const char *a, int m, const char *b, int n, int bound)
{
    int rows[3][MAX_LENGTH + 1];  // the last three rows of the table
    for (int j = 0; j <= n; j++)
        rows[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *row = rows[i % 3];
        const int *last = rows[(i + 2) % 3], *last_but_one = rows[(i + 1) % 3];
        row[0] = i;
        int least = i;
        for (int j = 1; j <= n; j++) {
            char x = fold(a[i - 1]), y = fold(b[j - 1]);
            row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y));
            bool is_swap = i > 1 && j > 1 && x == fold(b[j - 2]) && fold(a[i - 2]) == y;
            if (is_swap && last_but_one[j - 2] + 1 < row[j])
                row[j] = last_but_one[j - 2] + 1;
            least = row[j] < least ? row[j] : least;
        }
        if (least > bound + 1)  // a swap may come from the row before, one edit cheaper
            return least;
    }
    return rows[m % 3][n];
}

const char *dew_nearest_name(const char *word, const char *const *names, int64_t count)
{
    size_t word_length = strnlen(word, MAX_LENGTH + 1);
    if (word_length == 0 || word_length > MAX_LENGTH)
        return NULL;
    const char *best = NULL;
    int best_distance = MAX_LENGTH;
    for (int64_t i = 0; i < count; i++) {
        size_t length = strnlen(names[i], MAX_LENGTH + 1);
        if (length > MAX_LENGTH)
            continue;
        int longer = (int)(length > word_length ? length : word_length);
        int shorter = (int)(length < word_length ? length : word_length);
        int bound = longer / 3;  // a third of the letters wrong, no more
        if (longer - shorter > bound || longer - shorter >= best_distance)
            continue;
        int d = distance(word, (int)word_length, names[i], (int)length, bound);
        if (d <= bound && d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
