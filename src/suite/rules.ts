import { at, type Cursor, listOrSingle, place, cursorText as textOf } from './yaml/document.ts';
import { omitUndefined } from '../lib/json.ts';
import { suggestKnown } from '../lib/suggestion.ts';
import type { Problem } from '../model/problem.ts';
import { type AcceptedValue, type Aspect, type Cover, levels, type Rule, type RuleRef } from '../model/rule.ts';
import {
  anyText,
  described,
  flag,
  json,
  list,
  listOrOne,
  mapping,
  named,
  object,
  pattern,
  placed,
  type ReadValue,
  nonEmptyText,
  word,
} from './grammar/grammar.ts';
import { citeList, kebabForm, kebabName } from './grammar/common-shapes.ts';
import { type CompileContext, reportAt, reportAtKey } from './context.ts';

const statesShape = list(placed(nonEmptyText()), {
  title: 'a list of quotations',
  description:
    'The reason why it is required: words of the interface to the letter, or a standard, its section and its requirement, such as "RFC 7519 §4.1.4: what has expired is refused". Rules beside an interface.md need it.',
  minItems: 1,
});

const coverShape = named(
  'cover',
  object(
    {
      class: nonEmptyText({ description: 'The class that the rule speaks of.' }),
      by: list(placed(nonEmptyText()), {
        title: 'a list of cases or invariants',
        minItems: 1,
        description: 'Cases, matrices and invariants that judge the rule and send or see the whole class.',
      }),
      sample: nonEmptyText({
        description: 'In place of `by`: why a part of the class is enough, or why no more of it can be sent.',
      }),
    },
    { title: 'a mapping with class, and by or sample', required: ['class'] },
  ),
);

const coversShape = listOrOne(coverShape, {
  title: 'a cover or a list of covers',
  description: 'How the cases cover a class that the rule speaks of, such as "any other" or "each".',
});

const aspectShape = object(
  {
    level: word(levels, { description: 'How binding this part is.' }),
    states: described(
      statesShape,
      'The reason why this part is required, if another sentence requires it than the rule.',
    ),
    description: nonEmptyText({ description: 'One sentence.' }),
    covers: coversShape,
    critical: flag({
      description: 'Breaking this part breaks authentication: it counts for the outcome though the rest does not.',
    }),
  },
  { title: 'an aspect', required: ['level', 'description'] },
);

const acceptedShape = object(
  {
    set: nonEmptyText({
      title: 'a member such as claims.state',
      description: 'The difference from the plain request.',
    }),
    raw: nonEmptyText({
      title: 'a claim such as claims.aud',
      description: 'The member that is written as raw JSON text.',
    }),
    without: nonEmptyText({
      title: 'a member such as claims.state',
      description: 'The member that is left out of the plain request.',
    }),
    to: list(json({ description: 'A value.' }), {
      minItems: 1,
      title: 'a list of values',
      description: 'The values it may have; any unless said.',
    }),
    like: nonEmptyText({
      title: 'a regular expression',
      description: 'Pattern that a text value must match, in place of `to`.',
    }),
  },
  { title: 'what must be accepted' },
);

const ruleShape = object(
  {
    id: placed(
      pattern('^[A-Z]+-[0-9]+[a-z]?$', {
        title: 'a rule id such as REQ-007',
        description: 'The id of the rule, as in the catalogue.',
      }),
    ),
    clause: nonEmptyText({
      title: 'a clause in quotes such as "2.3 aud"',
      description: 'The section and the member it comes from, in quotes.',
    }),
    level: word(levels, {
      description: 'How binding: must, required or stated; should or generally; may, info or silent.',
    }),
    states: statesShape,
    description: nonEmptyText({ description: 'One sentence, precise enough to test.' }),
    interpretation: anyText({ description: 'How it is interpreted where the interface is unclear.' }),
    aspects: mapping(aspectShape, {
      title: 'a mapping of aspects',
      minProperties: 1,
      propertyNames: { pattern: kebabForm, title: 'a kebab-case name such as iat-too-old' },
      description: 'Parts of the rule that carry a level of their own.',
    }),
    covers: coversShape,
    judged: word(['cases', 'invariant', 'attested', 'untestable'], {
      description:
        "The way in which the rule is judged: by cases, by an invariant, by the operator's statement, or not at all.",
    }),
    accepts: list(acceptedShape, {
      title: 'a list of what must be accepted',
      description:
        'Differences from the plain request that this rule allows: a request that is refused with one of them breaks it.',
    }),
    critical: flag({
      description:
        'Breaking it breaks authentication: it counts for the outcome though no clause of the interface states it.',
    }),
    cites: described(citeList, 'Principles and decisions of suites/decisions.md that decide it.'),
    rationale: nonEmptyText({ description: 'Why no black box can judge it; for attested and untestable.' }),
    requires: nonEmptyText({
      description: 'Requirement on a target under which cases judge it, so that no attestation is needed.',
    }),
  },
  { title: 'a rule', required: ['id', 'clause', 'level', 'description', 'judged'] },
);

export const rulesFile = object(
  {
    area: placed(kebabName('The name of the folder.')),
    title: nonEmptyText({ description: 'The name of the area, for people.' }),
    baseline: flag({ description: 'The rules come from good practice, and not from the interface.' }),
    rules: list(ruleShape, { title: 'a list of rules', description: 'In the order of the interface.' }),
  },
  {
    title: 'a file of rules',
    description: 'The rules of one area; see docs/suite-language.md.',
    required: ['area', 'title', 'rules'],
  },
);

type RuleReport = (problem: Problem) => void;

/** Compiles the rules of one `rules.yaml`; `area` is the name of its folder. */
export function compileRules(
  read: ReadValue<typeof rulesFile> | undefined,
  area: string,
  report: RuleReport,
): readonly Rule[] {
  const written = read?.area === undefined ? undefined : textOf(read.area);
  if (read?.area !== undefined && written !== area) {
    reportAt(read.area, { report }, { code: 'bad-value', message: `area "${written}" stands in the folder "${area}"` });
  }
  const ofFile = { area, ...omitUndefined({ baseline: read?.baseline === true ? (true as const) : undefined }) };
  return (read?.rules ?? []).flatMap((rule) => compileRule(rule, ofFile, report) ?? []);
}

type RuleRead = ReadValue<typeof ruleShape>;

function compileRule(read: RuleRead, ofFile: Pick<Rule, 'area' | 'baseline'>, report: RuleReport): Rule | undefined {
  const { clause = '', level = 'required', description = '', aspects = [], judged = 'cases' } = read;
  const id = (read.id && textOf(read.id)) ?? '';
  if (read.id === undefined || !ruleRefPattern.test(id)) return undefined;
  checkRationale(id, read, report);
  return {
    id,
    ...ofFile,
    clause,
    level,
    description,
    aspects: aspects.map(compileAspect),
    judged,
    position: place(read.id),
    ...omitUndefined({
      states: cursorTexts(read.states),
      interpretation: read.interpretation,
      rationale: read.rationale,
      covers: compileCovers(read.covers),
      requires: read.requires,
      accepts: read.accepts?.map(compileAccepted),
      critical: read.critical === true ? (true as const) : undefined,
    }),
  };
}

function checkRationale(id: string, { judged, rationale, cursor }: RuleRead, report: RuleReport): void {
  if ((judged !== 'attested' && judged !== 'untestable') || rationale !== undefined) return;
  const message = `${id} is ${judged}: "rationale" must say why no black box can judge it`;
  reportAtKey(at(cursor, 'judged'), { report }, { code: 'reason-missing', message });
}

function compileAccepted({ set, raw, without, to, like }: ReadValue<typeof acceptedShape>): AcceptedValue {
  return {
    what: set ?? raw ?? without ?? '',
    change: set !== undefined ? 'set' : raw !== undefined ? 'raw' : 'removed',
    ...omitUndefined({ values: to?.map(({ value = null }) => value), like }),
  };
}

const compileCovers = (read: RuleRead['covers']): readonly Cover[] | undefined =>
  read?.map(({ class: covered = '', by, sample }) => ({
    class: covered,
    ...omitUndefined({ by: by?.flatMap((name) => textOf(name) ?? []), sample }),
  }));

function compileAspect([id, read]: NonNullable<RuleRead['aspects']>[number]): Aspect {
  const { level = 'required', description = '', states: stated, covers, critical } = read;
  const optional = {
    states: cursorTexts(stated),
    covers: compileCovers(covers),
    critical: critical === true ? (true as const) : undefined,
  };
  return { id, level, description, ...omitUndefined(optional) };
}

const cursorTexts = (cursors: readonly Cursor[] | undefined): readonly string[] | undefined =>
  cursors?.flatMap((cursor) => textOf(cursor) ?? []);

const ruleRefPattern = /^([A-Z]+-[0-9]+[a-z]?)(?:#([a-z0-9-]+))?$/;

/** Compiles a `rule` key: one rule or aspect, or a list of them. */
export function compileRuleRefs(
  cursor: Cursor,
  context: CompileContext,
  by: 'case' | 'invariant',
): readonly RuleRef[] | undefined {
  if (cursor.value === undefined) return undefined;
  return listOrSingle(cursor).flatMap((item) => {
    const [, rule, aspect] = ruleRefPattern.exec(textOf(item) ?? '') ?? [];
    if (rule === undefined) return [];
    checkRef(item, context, { rule, aspect, by });
    return [{ rule, ...omitUndefined({ aspect }) }];
  });
}

interface NamedReference {
  readonly rule: string;
  readonly aspect: string | undefined;
  readonly by: 'case' | 'invariant';
}

function checkRef(cursor: Cursor, context: CompileContext, { rule, aspect, by }: NamedReference): void {
  const { rules } = context.known;
  if (rules === undefined) return;
  const known = rules.get(rule);
  if (known === undefined) {
    const hint = suggestKnown(rule, rules.keys());
    reportAt(cursor, context, { code: 'unknown-rule', message: `there is no rule ${rule}`, hint });
    return;
  }
  const aspects = known.aspects.map(({ id }) => id);
  if (aspect !== undefined && !aspects.includes(aspect)) {
    const message = `${rule} has no aspect "${aspect}"`;
    reportAt(cursor, context, { code: 'unknown-rule', message, hint: suggestKnown(aspect, aspects) });
    return;
  }
  // Cases may judge an attested rule if the target meets its requirement.
  const isShown = known.judged === 'attested' && known.requires !== undefined && by === 'case';
  if ((known.judged === 'attested' && !isShown) || known.judged === 'untestable') {
    const message = `${rule} is said to be ${known.judged}, yet this ${by} judges it`;
    reportAt(cursor, context, { code: 'rule-not-judged-so', message });
  }
}
