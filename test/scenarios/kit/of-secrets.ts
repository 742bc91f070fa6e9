import { sourceOf } from '../../../src/model/resource.ts';
import type { Input } from '../../../src/model/turn.ts';
import type { LoggedInput } from '../../../src/runtime/recording/log-changes.ts';
import { secretMetadata } from '../../../src/world/kinds/workloads/settings.ts';

const ofSecrets = sourceOf(secretMetadata);

/** Whether an input, as it is or as it is recorded, tells of Secrets: an installation sees them only where somebody has allowed it. */
export const tellsOfSecrets = (input: Input | LoggedInput): boolean =>
  ('source' in input && input.source === ofSecrets) || ('coverage' in input && input.coverage.source === ofSecrets);
