import { kindOf, nameOf, type Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import { refusedSigns, unreachedSigns } from '../../model/sign-groups.ts';

/** What programs say when whom they call does not answer. */
export const unanswered: readonly SignKind[] = [...unreachedSigns, 'ServiceUnavailable', 'CallFailed'];

/** What programs say when whom they call turns them away, or fails their calls in words that do not tell why. */
export const refused: readonly SignKind[] = [...refusedSigns, 'CallFailed'];

/** An address by number in a private network (RFC 1918) of which nobody in the cluster is known: it may have been that of a Pod that is gone. */
export const isNobodysNumber = (to: Ref): boolean =>
  kindOf(to) === 'ExternalEndpoint' &&
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+(?::\d+)?$/.test(nameOf(to));
