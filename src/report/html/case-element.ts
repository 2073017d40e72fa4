import type { Verdict } from '../../model/rule.ts';
import type { PackedPlace } from './case-view.ts';
import type { Piece, Tag } from './links.ts';

export type TextPair = readonly [string, string];

/** A case as data for the page's script, which lists it under its rule. Every text is already visible and bounded. */
export interface CaseRow {
  readonly anchor: string;
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** Anchor and id of the rule under which it is shown. */
  readonly home?: TextPair;
  /** The page's markup already has it. */
  readonly isDrawn?: true;
  readonly traffic: string;
  /** Verdict in words, and its reason. */
  readonly because?: TextPair;
  readonly recorded?: readonly TextPair[];
  /** Try, and who was asked and answered what in it. */
  readonly acts?: readonly TextPair[];
  /** Anchor and name of each rule that it judges. */
  readonly judges: readonly TextPair[];
  readonly position: string;
  readonly again: string;
  /** Search facets of its messages; absent if empty. */
  readonly kinds?: readonly string[];
  readonly endpoints?: readonly string[];
  readonly statuses?: readonly string[];
  /** Place of its exchanges; `null` if they were left out, absent if there are none. */
  readonly place?: PackedPlace | null;
}

/** Renders a closed case with its findings: as text in Node and as nodes in the browser, depending on the tag. */
export function renderCase<N>(html: Tag<N>, row: CaseRow, found?: Piece<N>): N {
  const { anchor, id, title, verdict, traffic, because, recorded = [], acts = [], judges, position, again } = row;
  const reason =
    because === undefined ? '' : html`<p class="because"><strong>${because[0]}:</strong> ${because[1]}</p>`;
  const table = (caption: string, pairs: readonly TextPair[], cell: (value: string) => Piece<N>): Piece<N> => {
    const rows = pairs.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${cell(value)}</td></tr>`);
    return rows.length === 0
      ? ''
      : html`<table class="recorded"><caption>${caption}</caption><tbody>${rows}</tbody></table>`;
  };
  const links = judges.map(([at, name], index) => [index === 0 ? '' : ', ', html`<a href="#${at}">${name}</a>`]);
  const command = found === undefined ? html`<p class="again"><code class="command">${again}</code></p>` : '';
  return html`<details class="case" id="${anchor}"><summary><span class="v v-${verdict}">${verdict}</span> <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">${traffic}</span></summary><div class="inside">${reason}${found ?? ''}${table('Recorded', recorded, (value) => html`<code>${value}</code>`)}${table('People', acts, (value) => value)}<p class="meta">Judges ${links} · ${position}</p>${command}</div></details>`;
}
