import { redeliverAnnotation, testAnnotation } from '../api/group.ts';
import type { Ref } from '../model/ref.ts';
import {
  AnnotationRequests,
  type AnnotationRequestsOptions,
  type RequestKind,
  type RequestState,
} from './annotation-requests.ts';

/** One marked test message. It makes the operator connect to where a tenant says, so there only active ones get it. */
const tests: RequestKind = {
  annotation: testAnnotation,
  last: ({ lastTest }) => lastTest,
  forbidden: ({ active, isOwn }) =>
    active === 'CommunityLimit' && !isOwn
      ? 'This AlertProvider is not active, and outside the namespace of Tocsin only active ones can be tested.'
      : undefined,
};

/** What failed for good, once more. */
const redeliveries: RequestKind = {
  annotation: redeliverAnnotation,
  last: ({ lastRedelivery }) => lastRedelivery,
  forbidden: ({ active }) =>
    active === 'CommunityLimit' ? 'This AlertProvider is not active: nothing is sent here.' : undefined,
};

/** A provider's last requests. */
export type RequestStates = { readonly test: RequestState | undefined; readonly redelivery: RequestState | undefined };

/** Everything that people ask of a provider by annotation. */
export class ProviderRequests {
  readonly #tests: AnnotationRequests;
  readonly #redeliveries: AnnotationRequests;

  constructor(
    options: Omit<AnnotationRequestsOptions, 'send'> & {
      readonly onTest: AnnotationRequestsOptions['send'];
      readonly onRedeliver: AnnotationRequestsOptions['send'];
    },
  ) {
    this.#tests = new AnnotationRequests(tests, { ...options, send: options.onTest });
    this.#redeliveries = new AnnotationRequests(redeliveries, { ...options, send: options.onRedeliver });
  }

  /** Does what the annotations ask for, if that is new. The core must know the provider. */
  async look(ref: Ref): Promise<void> {
    await Promise.all([this.#tests.look(ref), this.#redeliveries.look(ref)]);
  }

  /** The last requests of a provider. */
  get(ref: Ref): RequestStates {
    return { test: this.#tests.get(ref), redelivery: this.#redeliveries.get(ref) };
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    for (const each of [this.#tests, this.#redeliveries]) each.forget(ref);
  }

  /** None is carried out any more. */
  stop(): void {
    for (const each of [this.#tests, this.#redeliveries]) each.stop();
  }
}
