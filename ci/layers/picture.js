import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imports, layers } from './layers.js';

const page = new URL('../../ARCHITECTURE.md', import.meta.url);
const begin = '<!-- The picture is made from ci/layers/layers.js: npm run layers -- --write -->';
const end = '<!-- The picture ends here. -->';

const below = new Map(layers.map((layer) => [layer.name, imports(layer).filter((name) => name !== layer.name)]));

const reaches = (from, to) => below.get(from).some((name) => name === to || reaches(name, to));

/** Imports that no other import implies: enough for the picture. */
const drawn = (name) => below.get(name).filter((to) => !below.get(name).some((by) => by !== to && reaches(by, to)));

export const picture = () =>
  [
    begin,
    '```mermaid',
    'flowchart TD',
    ...layers.flatMap(({ name }) => (drawn(name).length === 0 ? [] : [`  ${name} --> ${drawn(name).join(' & ')}`])),
    '```',
    end,
  ].join('\n');

/** The page with the current picture, and whether it had that already. */
function redraw() {
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${fileURLToPath(page)} has no place for the picture: "${begin}" and "${end}"`);
  const drawnText = `${text.slice(0, from)}${picture()}${text.slice(to + end.length)}`;
  return { text: drawnText, same: drawnText === text };
}

/** Whether ARCHITECTURE.md shows the current layers; with `write` it is updated. */
export function checkPicture(write) {
  const { text, same } = redraw();
  if (!same && write) writeFileSync(page, text);
  return same || write;
}
