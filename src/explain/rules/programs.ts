import { loggedReasons } from '../../model/logged-reasons.ts';
import { longRunning } from './shortage.ts';

/** What fails, and can say why. */
export const programs = { kinds: ['Pod', 'Job', 'CronJob', ...longRunning], reasons: loggedReasons };
