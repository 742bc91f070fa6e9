import { startExim } from './exim.ts';
import { describeMail } from './mail-story.ts';

describeMail('Exim', startExim, true);
