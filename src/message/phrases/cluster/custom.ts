import type { Facts } from '../../../model/finding.ts';
import { after, type Phrase, quoted, said } from '../../parts/phrase.ts';

/** What a status says in one word, in words. */
const words: Readonly<Record<string, string>> = {
  health: 'its health is',
  phase: 'its phase is',
  operation: 'its last synchronization ended as',
};

/** ` (Ready is False: BuildFailed)`: what of the status says so, as people find it there. */
function by({ condition, because }: Facts): string {
  if (condition === undefined) return '';
  const word = words[String(condition)];
  if (word !== undefined) return ` (${word} ${because})`;
  return ` (condition ${condition}${because === undefined ? '' : `, reason ${because}`})`;
}

/** Custom resources. */
export const customPhrases = {
  CustomResourceFailing: {
    says: (finding) => `Its controller says that it is not healthy${by(finding.facts)}${after(': ', finding)}.`,
    happens: () => 'is not healthy',
    why: (about) => said(about) ?? (by(about.facts).replace(/^ \(|\)$/g, '') || undefined),
    evidence: quoted('Its controller'),
    well: 'is healthy again by its own status',
  },
} satisfies Readonly<Record<string, Phrase>>;
