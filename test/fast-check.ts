import fc from 'fast-check';

/**
 * fast-check, with the same stories each time in `make test`: who changed something knows that it was that, and a run in CI never fails by
 * chance. With `PROPERTY_RUNS` it draws others, to search.
 */
if (process.env.PROPERTY_RUNS === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });

export { fc };
