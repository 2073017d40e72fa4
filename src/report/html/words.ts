import type { Result } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { renderCommand } from '../shared/facts.ts';
import { capitalise, outcomeWords } from '../shared/prose.ts';
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

const tones = { conformant: 'good', 'not conformant': 'bad', incomplete: 'open' } as const;

/** The outcome of a run as one word and one sentence. */
export function headlineOf({ footer, rules }: Pick<Result, 'footer' | 'rules'>): Headline {
  if (footer === undefined) {
    return {
      tone: 'open',
      word: 'Cut off',
      sentence: 'The run did not reach its end: it has no outcome and no score.',
    };
  }
  const { outcome } = footer;
  const sentence = `${capitalise(outcomeWords(footer, rules))}.`;
  return { tone: tones[outcome], word: capitalise(outcome), sentence };
}

/** `2026-01-01 00:00:00 UTC`. */
export const momentOf = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
