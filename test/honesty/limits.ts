/**
 * How many stories of each gate may be told wrongly: none. What is above that is a fault of the explanation and is listed by `make honesty`.
 * `sample`: of about every twelfth edge, in `make test`.
 */
export const limits = {
  all: { lost: 0, accused: 0, blamed: 0, innocent: 0, mutation: 0, noise: 0 },
  sample: { lost: 0, accused: 0, blamed: 0, innocent: 0, mutation: 0, noise: 0 },
} as const;

/** The sample takes about one edge of so many. */
export const sampleStep = 12;
