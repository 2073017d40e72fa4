import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { type MatrixRows, readGoldenMatrix } from '../../lab/prove/matrix.ts';
import { faultCatalogue } from '../../lab/catalogue.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { RuleResult } from '../../model/result.ts';
import type { Rule, RuleStanding, Verdict } from '../../model/rule.ts';
import type { Suites } from '../../suite/suites.ts';
import { endingCodes } from '../../verdict/ending.ts';
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
const wholeVerdict = ({ fault, rule }: TurnedPair): string | undefined =>
  matrix.get(fault)?.turned[rule] ?? plainVerdicts.get(rule);

/** Ids of the cases, each with its row, and of the invariants that show the rule or an aspect of it broken. */
const shownBy = ({ fault, rule }: TurnedPair): readonly string[] =>
  Object.entries(matrix.get(fault)?.shown ?? {}).flatMap(([ref, ids]) => (ref.split('#')[0] === rule ? ids : []));

const xml = new XMLParser({ ignoreAttributes: false, parseAttributeValue: true });
/** Line that ends what the terminal says of a run: `1 broken rule: exit code 1`. */
const lastLine = (text: string): string | undefined =>
  /^.*: exit code \d+$(?![\s\S]*: exit code \d+$)/m.exec(text)?.[0];

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
async function contradictionsOf({ code, out, plain, stdout, result }: KeptRun): Promise<readonly string[]> {
  const { footer } = result;
  if (code === null || footer === undefined) return [`the run ended with ${code} and was cut off`];
  const { ending, exitCode, headline, outcome } = footer;
  const red = countRedTests(readFileSync(join(out, 'junit.xml'), 'utf8'));
  const last = lastLine(stdout);
  const again = await runCli(['report', join(out, 'result.json')]);
  const broken = result.rules.filter(({ standing }) => standing === 'broken');
  const checks: readonly (readonly [boolean, string])[] = [
    [exitCode === code, `exit code ${code}, but ${exitCode} in the result`],
    [endingCodes[ending] === code, `exit code ${code}, but the ending is ${ending}`],
    [(endingCodes[ending] !== 0) === red > 0, `exit code ${code}, but ${red} red tests in JUnit`],
    [tones[code]?.includes(headline.tone) === true, `exit code ${code}, but the headline is ${headline.tone}`],
    [(code === 1) === (outcome === 'not conformant'), `exit code ${code}, but the outcome is ${outcome}`],
    [(code === 1) === broken.length > 0, `exit code ${code}, but ${broken.length} broken rules`],
    [last?.endsWith(`: exit code ${code}`) === true, `exit code ${code}, but the last line is: ${last}`],
    [
      plain.toLowerCase().includes(headline.words.toLowerCase()),
      `the terminal does not have the headline: ${headlineLine(headline)}`,
    ],
    [lastLine(again.stdout) === last, `report ends with: ${lastLine(again.stdout)}`],
    [again.code === 0, `report ended with ${again.code}`],
  ];
  return checks.flatMap(([holds, words]) => (holds ? [] : [words]));
}

/** Whether a rule counts, or counts as broken, only because it was named. */
const isRaised = ({ verdict, standing }: RuleResult, { level }: Rule): boolean =>
  standing === 'uncounted' || (verdict === 'warn' && level === 'recommended' && standing !== 'unstable');

const countedStandings: ReadonlySet<RuleStanding> = new Set(['broken', 'follows']);

/** Whether a rule named by its id comes to the same as in its area, except that it counts. */
function isSameNamed(alone: RuleResult, inArea: RuleResult, rule: Rule): boolean {
  if (!isRaised(inArea, rule)) return alone.verdict === inArea.verdict && alone.standing === inArea.standing;
  return alone.verdict === 'fail' && countedStandings.has(alone.standing);
}

const said = (found: RuleResult | undefined): string =>
  found === undefined ? 'no verdict' : `${found.verdict} (${found.standing})`;

/** Findings about the runs of a pair, in words; each list is empty if all is well. */
export interface PairFindings {
  /** Places where one run contradicts itself. */
  readonly contradictions: readonly string[];
  /** Verdicts that the selection changed (P20). */
  readonly changes: readonly string[];
}

interface SelectedRun {
  readonly run: KeptRun;
  readonly contradictions: readonly string[];
}

/** Compares what pairs come to alone, in the area, and in the golden matrix. A run of an area serves all its pairs. */
export function createPairComparison({ rules, invariants }: Pick<Suites, 'rules' | 'invariants'>) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const invariantIds = new Set(invariants.map(({ id }) => id));
  const areaRuns = new Map<string, Promise<SelectedRun>>();

  async function runOf(what: string, fault: string): Promise<SelectedRun> {
    const run = await runInto([what, '--fault', fault], { timeLimit: 120_000 });
    const found = await contradictionsOf(run);
    return { run, contradictions: found.map((words) => `run ${what} --fault ${fault}: ${words}`) };
  }

  function areaRun(area: string, fault: string): Promise<SelectedRun> {
    const key = `${area} ${fault}`;
    const running = areaRuns.get(key) ?? runOf(area, fault);
    areaRuns.set(key, running);
    return running;
  }

  /**
   * Whether only messages show the rule broken. Its own cases may send none that does, so a part of a run may leave it unbroken: a known
   * breach of P20.
   */
  const isOfMessages = (pair: TurnedPair): boolean => {
    const shown = shownBy(pair);
    return shown.length > 0 && shown.every((id) => invariantIds.has(id));
  };

  /** The matrix does not have each rule that loses its verdict by a fault: not every case runs with each. */
  const isLost = ({ fault, rule }: TurnedPair, verdict: Verdict): boolean =>
    verdict === 'inconclusive' && matrix.get(fault)?.turned[rule] === undefined;

  const isAsWhole = (pair: TurnedPair, { verdict }: RuleResult): boolean =>
    verdict === wholeVerdict(pair) ||
    isLost(pair, verdict) ||
    (isOfMessages(pair) && verdict === plainVerdicts.get(pair.rule));

  return {
    isOfMessages,
    /** `strict`: a rule that only messages break must be broken in every part. */
    compare: async (pair: TurnedPair, { strict }: { readonly strict: boolean }): Promise<PairFindings> => {
      const { fault, rule: id } = pair;
      const rule = byId.get(id);
      if (rule === undefined || !isBreach(matrix.get(fault)?.turned[id]))
        throw new Error(`the matrix has no ${pairName(pair)}`);
      const area = await areaRun(rule.area, fault);
      const single = await runOf(id, fault);
      const [inArea, alone] = [area, single].map(({ run }) => run.result.rules.find((one) => one.id === id));
      const others = area.run.result.rules.filter((one) => one.area === rule.area);
      const differing = others.filter((one) =>
        strict && one.id === id ? one.verdict !== wholeVerdict(pair) : !isAsWhole({ fault, rule: one.id }, one),
      );
      const isSame = alone !== undefined && inArea !== undefined && isSameNamed(alone, inArea, rule);
      // An area has more messages than one rule.
      const isHidden = !strict && isOfMessages(pair) && alone?.verdict === plainVerdicts.get(id);
      const isCounted = alone?.verdict !== 'fail' || single.run.code === 1;
      return {
        contradictions: [...area.contradictions, ...single.contradictions],
        changes: [
          ...differing.map(
            (one) =>
              `${one.id} in ${rule.area} with ${fault}: ${said(one)}, in a whole run ${wholeVerdict({ fault, rule: one.id })}`,
          ),
          ...(isSame || isHidden ? [] : [`${id} with ${fault}: alone ${said(alone)}, in ${rule.area} ${said(inArea)}`]),
          ...(isCounted ? [] : [`${id} with ${fault}: alone ${said(alone)}, but exit code ${single.run.code}`]),
        ],
      };
    },
  };
}
