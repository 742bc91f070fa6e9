import type { Unclear, Why, WhyAudience } from '../model/why.ts';
import { object } from './status.ts';

/** The JSON of `/status/why` (`docs/why.schema.json`). */
export function whyBody({ about, says, incidents, otherwise }: Why): object {
  return {
    about: object(about),
    says,
    incidents: incidents.map(({ root, since, part = null, audiences, ...rest }) => ({
      ...rest,
      root: object(root),
      since: new Date(since).toISOString(),
      part,
      audiences: audiences.map(audienceRow),
    })),
    otherwise: otherwise.map(audienceRow),
  };
}

function audienceRow({ audience, disposition, says, providers }: WhyAudience): object {
  return {
    audience,
    disposition: disposition ?? null,
    says,
    providers: providers.map(({ provider, ...rest }) => ({ provider: object(provider), ...rest })),
  };
}

/** What is answered to a question that does not say enough. */
export function unclearBody({ unclear: message, candidates = [] }: Unclear): object {
  return { error: 'BadRequest', message, ...(candidates.length > 0 && { candidates: candidates.map(object) }) };
}
