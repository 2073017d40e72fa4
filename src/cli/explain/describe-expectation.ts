import { renderRuleRef } from '../../model/rule.ts';
import type { Expectation, SchemaCheck } from '../../model/suite.ts';
import { stepOutcomeLegend } from '../../report/prose.ts';
import { cutText } from '../../report/sanitize.ts';
import { renderValue } from './describe-act.ts';

/** Characters of a schema. */
const schemaLimit = 400;

const schema = (of: string, check: SchemaCheck | undefined): string[] =>
  check === undefined ? [] : [`${of} fits the schema ${cutText(JSON.stringify(check.schema), schemaLimit)}`];

const oneOf = (values: readonly (string | number)[] | undefined, before: string): string[] =>
  values === undefined ? [] : [`${before} ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`];

/** Every key of an expectation in words, each judged on its own. */
export function describeExpectation(expectation: Expectation): readonly string[] {
  const { outcome, error, status, equals = [], absent = [], echo = [], count, spacing, checks = [] } = expectation;
  const { like, latencyLike } = expectation;
  return [
    ...(outcome === undefined ? [] : [`${outcome}: ${stepOutcomeLegend[outcome]}`]),
    ...oneOf(error, 'body.error is'),
    ...oneOf(status, 'the status is'),
    ...schema('the body', expectation.body),
    ...schema('the id token', expectation.idToken),
    ...schema('what the phone shows', expectation.card),
    ...schema('the event token', expectation.set),
    ...schema('the header of the event token', expectation.setHeader),
    ...(like === undefined ? [] : [`status and error are those of step ${like}`]),
    ...(latencyLike === undefined ? [] : [`the median time cannot be distinguished from that of step ${latencyLike}`]),
    ...equals.map(([path, { source }]) => `${path} equals ${renderValue(source)}`),
    ...absent.map((path) => `${path} is absent`),
    ...echo.map((name) => `${name} comes back as it was sent`),
    ...(count === undefined ? [] : [`${count} deliveries`]),
    ...(spacing === undefined
      ? []
      : [`${spacing.every} s between deliveries, at most ${spacing.early} s early and ${spacing.late} s late`]),
    ...checks.map((name) => `the named check ${name} holds`),
  ];
}

/** The rules an expectation judges, `REQ-015, REQ-007#near-miss`. */
export function renderRules({ rules }: Pick<Expectation, 'rules'>): string {
  return rules.map(renderRuleRef).join(', ');
}
