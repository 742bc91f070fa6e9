import { ApiError } from '../../kube/api-client.ts';
import { errorMessage } from '../../model/error-message.ts';

/** What an error of the API server means here: what is not there, or which rights this needs (`get` on …). */
export function explained(error: unknown, means: { readonly missing: string; readonly needs: string }): string {
  if (!(error instanceof ApiError)) return errorMessage(error);
  if (error.status === 404) return means.missing;
  return error.status === 403 ? `${error.message}; this needs ${means.needs}` : error.message;
}
