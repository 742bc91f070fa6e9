import { failureOfCode, refusal } from '../kit.ts';
import type { Reading } from '../provider.ts';

/** What a 403 says of the key. Anything else is a plug-in of the server that wants no such alert: `[POLICY] Alert environment …`. */
const ofKey = /scope|authori[sz]ed|permission|forbidden/i;

/** How answers are read. Status 2xx alone says nothing: the web page answers it to anything. */
export const reading: Reading = {
  failure(answer) {
    const { message }: { readonly message?: unknown } = Object(answer.json());
    if (answer.status === 403 && typeof message === 'string' && !ofKey.test(message))
      return refusal(answer, 'a rule of the server wants no such alert: allow it there, or correct `environment`');
    if (answer.status >= 300 || Object(answer.json()).status === 'ok') return undefined;
    return failureOfCode(answer, 'the answer is not one of the Alerta API; correct `url`', new Map());
  },
};
