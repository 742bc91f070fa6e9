import type { SignKind } from '../../model/sign.ts';
import { refusedSigns, unreachedSigns } from '../../model/sign-groups.ts';

/** What programs say when whom they call does not answer. */
export const unanswered: readonly SignKind[] = [...unreachedSigns, 'ServiceUnavailable', 'CallFailed'];

/** What programs say when whom they call turns them away, or fails their calls in words that do not tell why. */
export const refused: readonly SignKind[] = [...refusedSigns, 'CallFailed'];
