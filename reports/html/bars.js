import { draw } from './dom.js';
import { rowsReading } from './rows.js';

/**
 * The bars of cases that passed are one path until somebody points at it: then each is one of its own, with the name of
 * its case.
 * @param {SVGPathElement} path
 */
async function nameBars(path) {
  const { inOrder } = await rowsReading;
  const ordinals = (path.dataset['cases'] ?? '').split(' ').map(Number);
  const places = (path.getAttribute('d') ?? '').split('M').slice(1);
  const bars = places.map((place, at) => {
    const row = inOrder[ordinals[at] ?? -1];
    const title = row === undefined ? undefined : draw('title', {}, `${row.id}: ${row.verdict}`);
    return draw('path', { d: `M${place}` }, title);
  });
  path.replaceWith(draw('g', { class: 'bar-ordinary' }, bars));
}

/** @param {Event} event */
export function nameBarsAt({ target }) {
  if (target instanceof SVGPathElement && target.matches('.bar-ordinary[data-cases]')) void nameBars(target);
}
