import type { Result, Score } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { renderCommand } from '../facts.ts';
import { countOf } from '../layout.ts';
import { html, type Markup } from './markup.ts';

/** A verdict as a word; its shape and colour come from the style sheet. */
export const verdictMark = (verdict: Verdict): Markup => html`<span class="v v-${verdict}">${verdict}</span>`;

/** The command that shows a case again, ready to be copied. */
export const commandLine = (id: string, flags: readonly string[]): Markup =>
  html`<code class="command">${renderCommand(id, flags)}</code>`;

export interface Headline {
  readonly tone: 'good' | 'bad' | 'open';
  readonly word: string;
  readonly sentence: string;
}

const openRules = ({ judged, applicable }: Score): string =>
  `${judged} of ${countOf(applicable, 'required rule')} that apply ${judged === 1 ? 'was' : 'were'} judged`;

/** The outcome of a run as one word and one sentence. `broken`: required rules with a finding. */
export function headlineOf({ footer }: Pick<Result, 'footer'>, broken: number): Headline {
  if (footer === undefined) {
    return {
      tone: 'open',
      word: 'Cut off',
      sentence: 'The run did not reach its end: it has no outcome and no score.',
    };
  }
  const { required } = footer.score;
  switch (footer.outcome) {
    case 'conformant':
      return { tone: 'good', word: 'Conformant', sentence: `${openRules(required)}, and none is broken.` };
    case 'not conformant':
      return {
        tone: 'bad',
        word: 'Not conformant',
        sentence:
          broken === 0
            ? 'A required rule is broken.'
            : `${countOf(broken, 'required rule')} ${broken === 1 ? 'is' : 'are'} broken.`,
      };
    case 'incomplete':
      return {
        tone: 'open',
        word: 'Incomplete',
        sentence: `No required rule was found broken, but only ${openRules(required)}.`,
      };
  }
}

/** `2026-01-01 00:00:00 UTC`. */
export const momentOf = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** `§2.3 jti`; a clause of another standard stands as it is. */
export const clauseOf = (clause: string): string => (/^\d/.test(clause) ? `§${clause}` : clause);
