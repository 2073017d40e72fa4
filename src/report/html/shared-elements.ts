import type { Piece, Tag } from './links.ts';

export type TextPair = readonly [string, string];

/** A finding with its evidence as data. Texts in the page's packed data are already visible and bounded. */
export interface FoundRow {
  readonly tone: 'fail' | 'warn' | 'informational' | 'expected';
  /** Anchor and name of the rule. */
  readonly rule: TextPair;
  readonly level: string;
  readonly headline: string;
  /** Reason of the entry of expected.yaml that tolerates it; its owner, date and place. */
  readonly known?: TextPair;
  /** Anchor of its message within the case. */
  readonly at?: string;
  readonly facts: readonly (readonly [label: string, name: string, text: string])[];
}

const commandLabels: ReadonlySet<string> = new Set(['run again', 'send alone', 'as curl']);

/** Renders a finding: as text in Node under its rule, and as nodes in the browser within its case. */
export function renderFound<N>(html: Tag<N>, { tone, rule, level, headline, known, facts }: FoundRow): N {
  const expected =
    known === undefined
      ? ''
      : html`<p class="known"><strong>Expected:</strong> ${known[0]} <span class="quiet">${known[1]}</span></p>`;
  const lines = facts.map(([label, name, text]): Piece<N> => {
    const value = commandLabels.has(label) ? html`<code class="command">${text}</code>` : text;
    return html`<div class="fact-${label.replaceAll(' ', '-')}"><dt>${name}</dt><dd>${value}</dd></div>`;
  });
  return html`<div class="finding t-${tone}"><p><a href="#${rule[0]}">${rule[1]}</a> <span class="level">${level}</span> ${headline}</p>${expected}<dl class="facts evidence">${lines}</dl></div>`;
}

/** A verdict in words, and its reason; empty without one. */
export const renderBecause = <N>(html: Tag<N>, because: TextPair | undefined): Piece<N> =>
  because === undefined ? '' : html`<p class="because"><strong>${because[0]}:</strong> ${because[1]}</p>`;

/** Named values as a table; empty without any. */
export function renderPairTable<N>(html: Tag<N>, caption: string, pairs: readonly TextPair[]): Piece<N> {
  const rows = pairs.map(([name, value]) => html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`);
  return rows.length === 0
    ? ''
    : html`<table class="recorded"><caption>${caption}</caption><tbody>${rows}</tbody></table>`;
}
