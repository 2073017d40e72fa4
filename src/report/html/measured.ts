import type { ResultFooter } from '../../model/result.ts';
import { countOf } from '../shared/layout.ts';
import { behaviourInWords, limitInWords, type Measured } from '../shared/measured-prose.ts';
import { renderColumns } from './columns.ts';
import type { Links } from './links.ts';
import { type Content, html, type Markup, nothing } from './markup.ts';

const foundCell = ({ found, isSeen }: Measured): Content =>
  isSeen ? found : html`<span class="quiet">${found}</span>`;

function renderLimits({ limits = [] }: ResultFooter, { toRules }: Links): Markup {
  if (limits.length === 0) return nothing;
  const rows = limits
    .map(limitInWords)
    .map((limit) => [limit.name, limit.about, foundCell(limit), toRules(limit.rules)]);
  return html`<section class="measured" id="limits" aria-labelledby="limits-title"><h2 id="limits-title">Measured limits <span class="quiet">${countOf(limits.length, 'limit')}</span></h2><p class="quiet">Where the carrier really stops. No verdict depends on it.</p>${renderColumns(['Limit', 'Of', 'Carrier', 'Rules'], rows)}</section>`;
}

function renderProfile({ profile = [] }: ResultFooter, { toRules, toCase }: Links): Markup {
  if (profile.length === 0) return nothing;
  const rows = profile.map((value) => {
    const words = behaviourInWords(value);
    return [words.name, words.about, foundCell(words), toRules(words.rules), toCase(value.case)];
  });
  return html`<section class="measured" id="profile" aria-labelledby="profile-title"><h2 id="profile-title">Profile <span class="quiet">${countOf(profile.length, 'behaviour')}</span></h2><p class="quiet">What the interface leaves open, as this carrier has it. No verdict depends on it.</p>${renderColumns(['Behaviour', 'Of', 'Carrier', 'Rules', 'Case'], rows)}</section>`;
}

/** The carrier's real limits and its profile, of a run that measured. */
export function renderMeasured(footer: ResultFooter | undefined, links: Links): Markup {
  return footer === undefined ? nothing : html`${renderLimits(footer, links)}${renderProfile(footer, links)}`;
}
