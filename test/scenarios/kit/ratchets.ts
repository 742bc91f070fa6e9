/**
 * Gates that are not met today, by the key of their figure, with where they stand: a test holds them to no worse than this, and the
 * scorecard says that they are not met. One that is met leaves this list.
 */
export const ratchets: Readonly<Record<string, number>> = {};
