import { describeMail } from './mail-story.ts';
import { startMox } from './mox.ts';

// It takes mail for others from its own users only.
describeMail('mox', startMox, false);
