import { ApiError } from '../kube/api-client.ts';
import { errorMessage } from '../model/error-message.ts';

/** Nothing could be looked at. The message says why and what to do. */
export class CannotLook extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotLook';
  }
}

/** Why an API server cannot be asked, in words. `name`: of the cluster, for people. */
export function refusal(error: unknown, name: string): CannotLook {
  const says = errorMessage(error).replace(/^GET \S+: /, '');
  if (!(error instanceof ApiError)) return new CannotLook(`${name}: ${says}`, { cause: error });
  if (error.status === 401)
    return new CannotLook(`${name}: the API server does not accept these credentials (401). Log in again.`, {
      cause: error,
    });
  return new CannotLook(`${name}: the API server does not answer: ${says}`, { cause: error });
}
