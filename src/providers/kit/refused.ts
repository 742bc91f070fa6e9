import type { Outcome } from '../../model/delivery.ts';

/** Nothing can be sent with what is configured: the attempt, or the test of the credentials, ends with this outcome. */
export class Refused extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('nothing can be sent with what is configured');
    this.name = 'Refused';
    this.outcome = outcome;
  }
}

/** What a type does, with `Refused` as the outcome that it holds. */
export function endingWhereRefused<P>(act: (parts: P) => Promise<Outcome>): (parts: P) => Promise<Outcome> {
  return async (parts) => {
    try {
      return await act(parts);
    } catch (error) {
      if (error instanceof Refused) return error.outcome;
      throw error;
    }
  };
}
