import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { type MatrixRows, readGoldenMatrix } from '../../lab/prove/matrix.ts';
import { faultCatalogue } from '../../lab/catalogue.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { RuleResult } from '../../model/result.ts';
import type { Rule, RuleStanding, Verdict } from '../../model/rule.ts';
import { endingCodes, isRed } from '../../verdict/ending.ts';
import { headlineLine } from '../../verdict/headline.ts';
import { runCli } from './run-cli.ts';
import { type KeptRun, runInto } from './run-into.ts';
import { root } from './spawn-cli.ts';

/** Fault of the catalogue, and a rule that the golden matrix says it breaks. */
export interface TurnedPair {
  readonly fault: string;
  readonly rule: string;
}

/** `event-unsigned EVT-001`. */
export const pairName = ({ fault, rule }: TurnedPair): string => `${fault} ${rule}`;

const isBreach = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';

const { rows: matrix } = readGoldenMatrix();

/** Every pair of a fault and a rule that it breaks, in the order of the catalogue. */
export const turnedPairs = (rows: MatrixRows = matrix): readonly TurnedPair[] =>
  faultCatalogue.flatMap(({ name: fault }) =>
    Object.entries(rows.get(fault)?.turned ?? {}).flatMap(([rule, verdict]) =>
      isBreach(verdict) ? [{ fault, rule }] : [],
    ),
  );

const plainLine = /^rule (\S+) (\S+)/gm;
/** Verdicts of a whole run without a fault, by rule. */
const plainVerdicts: ReadonlyMap<string, string> = new Map(
  [...readFileSync(join(root, 'fixtures/golden/plain.txt'), 'utf8').matchAll(plainLine)].map(
    ([, rule = '', verdict = '']) => [rule, verdict],
  ),
);

/** Verdict of a rule in a whole run with this fault. */
const wholeVerdict = (fault: string, rule: string): string | undefined =>
  matrix.get(fault)?.turned[rule] ?? plainVerdicts.get(rule);

const xml = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true });
/** Line that ends what the terminal says of a run: `1 broken rule: exit code 1`. */
const lastLine = (text: string): string | undefined => /^.*: exit code \d+$(?![\s\S]*: exit code \d+$)/m.exec(text)?.[0];

/** Number of failures and errors that the root of a JUnit report counts. */
function countRedTests(text: string): number {
  const parsed: unknown = xml.parse(text);
  const suites = isJsonObject(parsed) ? parsed['testsuites'] : undefined;
  const [failures, errors] = isJsonObject(suites) ? [suites['@_failures'], suites['@_errors']] : [];
  if (typeof failures !== 'number' || typeof errors !== 'number') throw new Error('the JUnit report counts nothing');
  return failures + errors;
}

/** Tones of the headline by exit code. */
const tones: Readonly<Record<number, readonly string[]>> = { 0: ['part', 'none'], 1: ['bad'], 4: ['open'] };

/** Contradictions between the exit code of a run, its result, its JUnit report, its last line and `report`. */
async function contradictions({ code, out, plain, stdout, result }: KeptRun): Promise<readonly string[]> {
  const { footer } = result;
  if (code === null || footer === undefined) return [`the run ended with ${code} and was cut off`];
  const { ending, exitCode, headline, outcome } = footer;
  const red = countRedTests(readFileSync(join(out, 'junit.xml'), 'utf8'));
  const said = lastLine(stdout);
  const again = await runCli(['report', join(out, 'result.json')]);
  const broken = result.rules.filter(({ standing }) => standing === 'broken');
  const checks: readonly (readonly [boolean, string])[] = [
    [exitCode === code, `exit code ${code}, but ${exitCode} in the result`],
    [endingCodes[ending] === code, `exit code ${code}, but the ending is ${ending}`],
    [isRed(ending) === red > 0, `exit code ${code}, but ${red} red tests in JUnit`],
    [tones[code]?.includes(headline.tone) === true, `exit code ${code}, but the headline is ${headline.tone}`],
    [(code === 1) === (outcome === 'not conformant'), `exit code ${code}, but the outcome is ${outcome}`],
    [(code === 1) === broken.length > 0, `exit code ${code}, but ${broken.length} broken rules`],
    [said?.endsWith(`: exit code ${code}`) === true, `exit code ${code}, but the last line is: ${said}`],
    [
      plain.toLowerCase().includes(headline.words.toLowerCase()),
      `the terminal does not have the headline: ${headlineLine(headline)}`,
    ],
    [lastLine(again.stdout) === said, `report ends with: ${lastLine(again.stdout)}`],
    [again.code === 0, `report ended with ${again.code}`],
  ];
  return checks.flatMap(([holds, words]) => (holds ? [] : [words]));
}

/** A rule that counts only because it was named. */
const raised = ({ verdict, standing }: RuleResult, { level }: Rule): boolean =>
  standing === 'uncounted' || (verdict === 'warn' && level === 'recommended' && standing !== 'unstable');

const naming: ReadonlySet<RuleStanding> = new Set(['broken', 'follows']);

const said = (found: RuleResult | undefined): string =>
  found === undefined ? 'no verdict' : `${found.verdict} (${found.standing})`;

/** Whether a rule named by its id comes to the same, except that it counts. */
function isSameNamed(alone: RuleResult, inArea: RuleResult, rule: Rule): boolean {
  if (!raised(inArea, rule)) return alone.verdict === inArea.verdict && alone.standing === inArea.standing;
  return alone.verdict === 'fail' && naming.has(alone.standing);
}

/** Runs of one rule alone and of areas with a fault; a run of an area serves all its pairs. */
export function createPairRuns(rules: readonly Rule[]) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const areas = new Map<string, Promise<{ readonly run: KeptRun; readonly against: readonly string[] }>>();
  const runOf = async (what: string, fault: string) => {
    const run = await runInto([what, '--fault', fault], { timeLimit: 120_000 });
    const command = `run ${what} --fault ${fault}`;
    return { run, against: (await contradictions(run)).map((words) => `${command}: ${words}`) };
  };
  const areaOf = (area: string, fault: string) => {
    const key = `${area} ${fault}`;
    const known = areas.get(key) ?? runOf(area, fault);
    areas.set(key, known);
    return known;
  };

  /** What contradicts P20 for this pair, in words: none if its verdict is the same alone, in its area and in the matrix. */
  return async function breaches({ fault, rule: id }: TurnedPair): Promise<readonly string[]> {
    const rule = byId.get(id);
    if (rule === undefined) throw new Error(`there is no rule ${id}`);
    if (!isBreach(matrix.get(fault)?.turned[id])) throw new Error(`the matrix has no ${id} with ${fault}`);
    const area = await areaOf(rule.area, fault);
    const single = await runOf(id, fault);
    const [inArea, alone] = [area, single].map(({ run }) => run.result.rules.find((one) => one.id === id));
    const differing = area.run.result.rules.flatMap((one) => {
      const whole = wholeVerdict(fault, one.id);
      return one.area !== rule.area || whole === one.verdict
        ? []
        : [`${one.id} in ${rule.area} with ${fault}: ${said(one)}; in a whole run ${whole}`];
    });
    const isSame = alone !== undefined && inArea !== undefined && isSameNamed(alone, inArea, rule);
    const isCounted = alone?.verdict !== 'fail' || single.run.code === 1;
    return [
      ...area.against,
      ...single.against,
      ...differing,
      ...(isSame ? [] : [`${id} with ${fault}: alone ${said(alone)}, in ${rule.area} ${said(inArea)}`]),
      ...(isCounted ? [] : [`${id} with ${fault}: alone ${said(alone)}, but exit code ${single.run.code}`]),
    ];
  };
}
