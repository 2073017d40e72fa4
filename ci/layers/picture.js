import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { imports, layers } from './layers.js';

const page = new URL('../../ARCHITECTURE.md', import.meta.url);
const begin = '<!-- The picture is made from ci/layers/layers.js: npm run layers -- --write -->';
const end = '<!-- The picture ends here. -->';

const below = new Map(layers.map((layer) => [layer.name, imports(layer).filter((name) => name !== layer.name)]));

const reaches = (from, to) => below.get(from).some((name) => name === to || reaches(name, to));

/** The imports that no other import brings along: enough to draw. */
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

/** The page with the picture of today, and whether it had that already. */
function redraw() {
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${fileURLToPath(page)} has no place for the picture: "${begin}" and "${end}"`);
  const drawnText = `${text.slice(0, from)}${picture()}${text.slice(to + end.length)}`;
  return { text: drawnText, same: drawnText === text };
}

/** True where ARCHITECTURE.md shows the layers as they are; with `write` it is made so. */
export function checkPicture(write) {
  const { text, same } = redraw();
  if (!same && write) writeFileSync(page, text);
  return same || write;
}
