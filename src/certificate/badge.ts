import { countedRules, type HeadlineTone, isPartial } from '../model/headline.ts';
import type { Manifest } from './manifest.ts';
import { certifiedHeadline } from './words.ts';

/** Widths of a character and the margins of a label, in pixels of the badge's font (Verdana, 11). */
const perCharacter = 6.6;
const margin = 12;

const grey = '#5b616b';
const colours: Readonly<Record<HeadlineTone, string>> = {
  good: '#1a7f37',
  bad: '#b3261e',
  part: grey,
  none: grey,
  open: grey,
  expected: '#b3261e',
};

const widthOf = (text: string): number => Math.round(text.length * perCharacter) + margin;

/** The words on the badge: the outcome, its limits, and the two fractions of rules; of a part, the one over all that count. */
export function badgeText(manifest: Manifest): string {
  const { outcome, score, conclusions, whole, carrier, clock, certificationProfile } = manifest;
  const { conforming, judged, applicable } = score.required;
  const isPart = isPartial(manifest.run);
  const limits = [
    ...(carrier.testCarrier ? ['test carrier'] : []),
    ...(clock.kind === 'virtual' ? ['virtual clock'] : []),
    ...(isPart ? ['partial'] : []),
    ...(certificationProfile === undefined ? [] : [certificationProfile]),
  ];
  const of = isPart ? (whole?.counted ?? applicable) : applicable;
  const baseline = conclusions?.baseline;
  const beside = baseline === undefined ? '' : `, baseline ${baseline.score.conforming}/${baseline.score.judged}`;
  return `${outcome}${limits.length === 0 ? '' : ` (${limits.join(', ')})`} ${conforming}/${judged} of ${of}${beside}`;
}

/**
 * A badge as SVG. It has words of ours, numbers, the day and the interface (of letters, digits and hyphens) only, nothing that a carrier or an operator wrote, and it proves nothing:
 * the certificate does.
 */
export function renderBadge(manifest: Manifest): string {
  const label = 'carrierspec';
  const text = badgeText(manifest);
  const left = widthOf(label);
  const right = widthOf(text);
  const width = left + right;
  const { id, version } = manifest.interface;
  const title = `${label}: ${text} ${countedRules(manifest.certificationProfile)} of ${id} ${version}, signed on ${new Date(manifest.certifiedAt).toISOString().slice(0, 10)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="c"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#c)">
<rect width="${left}" height="20" fill="#3d444d"/>
<rect x="${left}" width="${right}" height="20" fill="${colours[certifiedHeadline(manifest).tone]}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${left - margin}">${label}</text>
<text x="${left + right / 2}" y="14" textLength="${right - margin}">${text}</text>
</g>
</svg>
`;
}
