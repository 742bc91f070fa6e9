import type { SignKind } from '../../model/sign.ts';
import { unreachedSigns } from '../../model/sign-groups.ts';

/** What programs say when whom they call does not answer. */
export const unanswered: readonly SignKind[] = [...unreachedSigns, 'ServiceUnavailable', 'CallFailed'];
