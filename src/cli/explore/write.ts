import { join } from 'node:path';
import type { Found } from '../../explore/settle.ts';
import type { JsonObject } from '../../lib/json.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { renderCommand } from '../../report/shared/facts.ts';
import { cutText, forLines, showValue } from '../../report/shared/sanitize.ts';
import { writeBelow } from '../shared/files.ts';
import { writeYaml } from '../../suite/yaml/document.ts';

/** A finding with the file that shows it again. */
export interface WrittenFinding {
  readonly found: Found;
  /** The id of its case. */
  readonly id: string;
  /** Where the case stands. */
  readonly file: string;
  /** The command that shows it again, at the same carrier. */
  readonly again: string;
}

const longest = 300;

const commented = (text: string): string => `# ${forLines(cutText(text, longest)).replaceAll('\n', ' ')}`;

const ruleOf = ({ finding }: Found): string => renderRuleRef(finding);

/** What was expected, and what came. */
export const shownWords = ({ finding: { path, expected, actual } }: Pick<Found, 'finding'>): string =>
  `${path === undefined ? '' : `${path}: `}${showValue(expected, longest)} expected, ${showValue(actual, longest)} came`;

function suiteOf(found: Found, id: string): JsonObject {
  const { title: _title, steps, ...setting } = found.case;
  return {
    suite: 'Found by exploration',
    cases: [{ id, title: found.title, rule: ruleOf(found), ...setting, ...(steps === undefined ? {} : { steps }) }],
  };
}

/** Writes a suite of one case for each finding. Throws where the folder takes none. */
export function writeFindings(
  all: readonly Found[],
  { folder, seed, flags }: { folder: string; seed: string; flags: readonly string[] },
): readonly WrittenFinding[] {
  return all.map((found, at) => {
    const id = `explored-${ruleOf(found)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')}-${at + 1}`;
    const file = join(folder, `${id}.suite.yaml`);
    const again = renderCommand(file, flags);
    const head = [
      commented(`Found by carrierspec explore --seed ${seed} (${found.kind}): ${shownWords(found)}.`),
      commented(`See it again: ${again}`),
    ];
    writeBelow({ folder, flag: '--out' }, `${id}.suite.yaml`, [`${head.join('\n')}\n${writeYaml(suiteOf(found, id))}`]);
    return { found, id, file, again };
  });
}
