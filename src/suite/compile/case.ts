import { at, type Cursor, keyPlace, place, cursorText as textOf } from '../yaml/document.ts';
import { isJsonObject, omitUndefined } from '../../lib/json.ts';
import type { RuleRef } from '../../model/rule.ts';
import type { ScriptedResponse, Template } from '../../model/suite.ts';
import {
  anyText,
  described,
  flag,
  integer,
  type Keys,
  late,
  list,
  mapping,
  members,
  named,
  object,
  pattern,
  placed,
  type ReadValue,
  nonEmptyText,
} from '../grammar/grammar.ts';
import {
  citeList,
  durationShape,
  kebabName,
  nonEmptyTexts as nameList,
  ruleRefs,
  values,
} from '../grammar/common-shapes.ts';
import type { Case } from '../suites.ts';
import { commonNames, partyNames } from '../template/names.ts';
import { compileTemplateMap, type TemplateContext } from '../template/template.ts';
import type { VerbTable } from '../verbs/verb.ts';
import { type CompileContext, reportAtKey } from '../context.ts';
import { checkCase, checkParties } from './lint.ts';
import { compileRuleRefs } from '../rules.ts';
import { type CompiledStep, stepShape, compileSteps, deferSteps } from './step.ts';

const responseShape = members(
  {
    status: integer(100, 599, { title: 'a status such as 200', description: 'HTTP status; 200 unless said.' }),
    body: anyText({ description: 'Body of the response.' }),
    headers: placed(mapping(anyText(), { title: 'a mapping', description: 'Headers of the response.' })),
    delay: durationShape('Time before the response.'),
    reset: flag({ description: 'The connection is reset instead of answered.' }),
  },
  { title: 'a response', minProperties: 1 },
);

const responsesShape = (description: string) =>
  list(responseShape, { minItems: 1, title: 'a list of responses', description });

const receiverShape = members(
  {
    callbacks: responsesShape('One response a delivery; the last one repeats.'),
    events: responsesShape('The same for the event endpoint.'),
  },
  { title: 'receiver', minProperties: 1, description: 'The response of our notification and event endpoints.' },
);

const rowShape = (verbs: VerbTable) => {
  const keys: Keys = Object.fromEntries(verbs.flatMap(({ row = {} }) => Object.entries(row)));
  const free = { with: values('Free values, read as {{ each.name }}.'), receiver: receiverShape };
  return named('row', placed(object({ ...keys, ...free }, { title: 'a row' })));
};

export const caseShape = (verbs: VerbTable) =>
  named(
    'case',
    object(
      {
        id: placed(kebabName('Unique over all suites.')),
        title: nonEmptyText({ description: 'One sentence: what a carrier that conforms does.' }),
        rule: described(ruleRefs, 'The rule or aspect every expectation judges unless it names its own.'),
        client: kebabName('Which SP registration of the target sends: main unless said.'),
        flags: mapping(flag(), {
          title: 'a mapping of flags to true or false',
          minProperties: 1,
          description: 'Instead of client: the first registration whose flags match.',
        }),
        subscriber: kebabName('A tag of the subscriber: consented unless said.'),
        requires: nameList('a list of capabilities', 'Capabilities beyond those seen from the steps.'),
        exclusive: flag({ description: 'No other case may use this subscriber meanwhile.' }),
        receiver: receiverShape,
        cites: described(citeList, 'Principles and decisions of suites/decisions.md that it follows.'),
        establishes: pattern('^[a-z]+([-_][a-z]+)*$', {
          title: 'a word such as accepted, or a kind of event',
          description:
            'The behaviour that other cases build on, and that this case judges alone: accepted, completed, device_change.',
        }),
        optional: mapping(ruleRefs, {
          title: 'a mapping of values to rules',
          minProperties: 1,
          description:
            'Values that a carrier may leave out, and the rule that recommends each: without one the case does not apply.',
        }),
        each: mapping(rowShape(verbs), {
          title: 'a mapping of rows',
          minProperties: 1,
          description:
            'A matrix: one case for each row. A row is a difference, and may have values under `with` and a `receiver` of its own.',
        }),
        steps: late(
          list(stepShape(verbs), {
            minItems: 1,
            title: 'a list of steps',
            description: 'The scenario, in order.',
          }),
        ),
      },
      { title: 'a case', required: ['id', 'title', 'rule', 'steps'] },
    ),
  );

type CaseRead = ReadValue<ReturnType<typeof caseShape>>;

interface CompileCaseContext extends CompileContext {
  readonly verbs: VerbTable;
  /** Whether the suite was made from tables. */
  readonly generated: boolean;
}

/** Compiles a case into one case, or into one for each row of its matrix, with the id `id/row`. */
export function compileCase(read: CaseRead, context: CompileCaseContext): readonly Case[] {
  if (read.id === undefined) return [];
  const rules = compileRuleRefs(at(read.cursor, 'rule'), context, 'case') ?? [];
  const optional = compileOptional(read, context);
  const rows = read.each?.map(([, row]) => row) ?? [undefined];
  const cases = rows.map((row) => compileRow(read, { ...context, rules, optional }, row));
  checkParties(read.cursor, cases, context);
  return cases;
}

function compileOptional({ optional, cursor }: CaseRead, context: CompileContext): Case['optional'] {
  if (optional === undefined) return undefined;
  const given = at(cursor, 'optional');
  return new Map(
    optional.flatMap(([path]) => {
      const [ref] = compileRuleRefs(at(given, path), context, 'invariant') ?? [];
      return ref === undefined ? [] : [[path, ref] as const];
    }),
  );
}

interface RowContext extends CompileCaseContext {
  readonly rules: readonly RuleRef[];
  readonly optional: Case['optional'];
}

function compileRow(read: CaseRead, context: RowContext, row: Cursor | undefined): Case {
  const required = new Set<string>();
  const reads = (path: readonly string[]): void => {
    const requirement = findPathRequirement(path);
    if (requirement !== undefined) required.add(requirement);
  };
  const { report } = context;
  const { parties } = context.known;
  const common = parties === undefined ? commonNames : partyNames(parties.client, parties.subscriber);
  const each = row === undefined ? [] : compileRowValues(row, { names: common, reads, report });
  const names = row === undefined ? common : new Map([...common, ['each', new Set(each.flatMap(rowMembers))]]);
  const { title = '', subscriber = 'consented' } = read;
  const scriptedAll = (written: readonly ResponseRead[] = []): readonly ScriptedResponse[] =>
    written.map((response) => compileResponse(response, { names, reads, report }));
  const own = row === undefined ? undefined : receiverShape.read(at(row, 'receiver'));
  const receiver = own ?? read.receiver;
  const result = {
    ...rowIdentity(read, row),
    title,
    suite: context.suite,
    area: context.area,
    rules: context.rules,
    client: caseClient(read),
    subscriber,
    receiver: scriptedAll(receiver?.callbacks),
    eventReceiver: scriptedAll(receiver?.events),
    ...omitUndefined({
      establishes: read.establishes,
      optional: context.optional,
      generated: context.generated ? true : undefined,
    }),
    each,
  };
  const stepContext = { ...context, names, reads, row };
  const facts = context.facts?.get(result.id);
  if (facts !== undefined) return deferSteps(result, facts, { given: read.cursor, context: stepContext });
  const compiled = compileSteps(read.cursor, stepContext);
  const whole: Case = {
    ...result,
    ...collectCaseFacts(read, { result, compiled, required }),
    steps: compiled.map(({ step }) => step),
  };
  checkCase(read, whole, stepContext);
  return whole;
}

interface CompiledSteps {
  readonly result: Pick<Case, 'client' | 'subscriber'>;
  readonly compiled: readonly CompiledStep[];
  /** Requirements found in templates. */
  readonly required: Iterable<string>;
}

function collectCaseFacts(
  read: CaseRead,
  { result, compiled, required }: CompiledSteps,
): Pick<Case, 'exclusive' | 'requires'> {
  const { client, subscriber } = result;
  const all = [
    ...(typeof client === 'string' ? [`client:${client}`] : []),
    `subscriber:${subscriber}`,
    ...required,
    ...compiled.flatMap((step) => step.requires),
    ...(read.requires ?? []),
  ];
  return {
    exclusive: read.exclusive === true || compiled.some(({ exclusive }) => exclusive),
    requires: [...new Set(all)].sort(),
  };
}

function caseClient({ flags, client = 'main' }: CaseRead): Case['client'] {
  return flags === undefined ? client : Object.fromEntries(flags);
}

function rowIdentity({ id: written, cursor }: CaseRead, row: Cursor | undefined): Pick<Case, 'id' | 'position'> {
  const id = textOf(written ?? cursor) ?? '';
  if (row === undefined) return { id, position: place(at(cursor, 'id')) };
  return { id: `${id}/${String(row.path.at(-1))}`, position: keyPlace(row) };
}

/** Values that some targets lack, with the words that require them. */
const pathRequirements: Readonly<Record<string, string>> = {
  'target.foreign_codes': 'foreign-code',
  'target.wrong_receiver': 'wrong-receiver',
  'client.notification_uris.1': 'second-notification-uri',
};

/** Requirement on the target for reading a path: `clients.second.client_id`, `subscriber.subs.second`. */
function findPathRequirement(path: readonly string[]): string | undefined {
  const [root, first, second] = path;
  if (root === 'clients' && first !== undefined) return `client:${first}`;
  if (root === 'subscribers' && first !== undefined) return `subscriber:${first}`;
  if (root === 'subscriber' && first === 'subs' && second !== undefined) return `client:${second}`;
  const whole = `${path.join('.')}.`;
  const word = Object.keys(pathRequirements).find((one) => whole.startsWith(`${one}.`));
  return word === undefined ? undefined : pathRequirements[word];
}

/** A value of a row, with its own members if it is a mapping: `of`, `of.claim`. */
const rowMembers = ([name, { source }]: readonly [string, Template]): readonly string[] => [
  name,
  ...(isJsonObject(source) ? Object.keys(source).map((member) => `${name}.${member}`) : []),
];

/** Values of a row, its name first. */
function compileRowValues(row: Cursor, context: TemplateContext): readonly (readonly [string, Template])[] {
  const rowName = String(row.path.at(-1));
  const itself: Template = { source: rowName, position: keyPlace(row), paths: [], evaluate: () => rowName };
  const given = at(row, 'with');
  if (at(given, 'name').value !== undefined) {
    const message = '"name" is the name of the row already';
    reportAtKey(at(given, 'name'), context, { code: 'duplicate-key', message });
  }
  return [['name', itself], ...compileTemplateMap(given, context)];
}

type ResponseRead = ReadValue<typeof responseShape>;

function compileResponse(read: ResponseRead, templates: TemplateContext): ScriptedResponse {
  const { status = 200, body, headers, delay, reset } = read;
  return {
    status,
    ...omitUndefined({
      body,
      headers: headers === undefined ? undefined : compileTemplateMap(headers, templates),
      delay,
      reset: reset === true ? true : undefined,
    }),
  };
}
