import { defineStepVerb } from '../../../engine/act/verb.ts';
import { type CaseContext, Unmet } from '../../../engine/context/case-context.ts';
import type { Observation } from '../../../judge/observation.ts';
import { renderPlain } from '../../../lib/json.ts';
import type { TemplateMap, Template } from '../../../model/suite.ts';
import { either, members, word } from '../../../suite/grammar/grammar.ts';
import { templateShape, templateText, values } from '../../../suite/grammar/common-shapes.ts';
import type { Step } from '../../../suite/suites.ts';
import {
  type VerbAct,
  defineVerb,
  describeMap,
  describeName,
  describeTemplate,
  readRow,
} from '../../../suite/verbs/verb.ts';
import { alterationNames, alterJwe, describeAlteration, makeJwe } from '../../../wire/build/jwe.ts';
import { toSeconds } from '../../../lib/time.ts';

const encryptKeys = {
  again: templateText('A finished JWE, instead of one that is made.'),
  to: templateShape({
    description: 'The JWK or key set of the recipient; if no key fits the alg, a random key is used.',
  }),
  claims: values('The claims that are encrypted.'),
  header: values('Members of the header; alg RSA-OAEP-256 and enc A256GCM unless said.'),
  alter: word(alterationNames, { description: 'A change to one part of the finished JWE.' }),
};

const encryptShape = members(encryptKeys, { title: 'encrypt' });
const encryptValueTitle = { title: 'a mapping, or "each"' };

interface JweDifference {
  readonly again?: Template | undefined;
  readonly to?: Template | undefined;
  readonly claims?: TemplateMap | undefined;
  readonly header?: TemplateMap | undefined;
  readonly alter?: string | undefined;
}

const encryptDefinition = defineVerb({
  verb: 'encrypt',
  description: 'Make a JWE, or alter one, and send nothing. `each` takes the row of the case.',
  value: either(word(['each'], encryptValueTitle), encryptShape, encryptValueTitle),
  keys: {},
  sends: false,
  outcomes: [],
  expectations: [],
  members: ['jwe', 'summary', 'sentAt'],
  row: encryptKeys,
  compile: ({ value }, context): { readonly sealed: JweDifference } => ({
    sealed: (value === 'each' ? readRow(encryptShape, context) : value) ?? {},
  }),
  describe: ({ sealed: { again, to, claims, header, alter } }, show) => ({
    act: 'a JWE is made, and not sent',
    details: [
      ...describeTemplate('it begins as', again, show),
      ...describeTemplate('encrypted to', to, show),
      ...describeMap('claims.', claims, show),
      ...describeMap('header.', header, show),
      ...describeName('then changed:', alter && describeAlteration(alter)),
    ],
  }),
});

function assembleJwe({ again, to, claims = [], header = [] }: JweDifference, ctx: Pick<CaseContext, 'scope'>): string {
  const scope = ctx.scope();
  if (again !== undefined) return renderPlain(again.evaluate(scope));
  const valuesOf = (map: TemplateMap) => Object.fromEntries(map.map(([name, value]) => [name, value.evaluate(scope)]));
  return makeJwe({
    header: { alg: 'RSA-OAEP-256', enc: 'A256GCM', ...valuesOf(header) },
    claims: valuesOf(claims),
    to: to?.evaluate(scope) ?? null,
  });
}

async function runEncrypt(
  { sealed }: VerbAct<typeof encryptDefinition>,
  step: Step,
  ctx: Pick<CaseContext, 'now' | 'redactor' | 'scope'>,
): Promise<Observation> {
  const sentAt = toSeconds(ctx.now());
  const made = assembleJwe(sealed, ctx);
  const jwe = sealed.alter === undefined ? made : alterJwe(made, sealed.alter);
  if (jwe === undefined) throw new Unmet('what is to be altered is no JWE of five parts');
  ctx.redactor.learn('JWE', jwe);
  return Promise.resolve({ kind: 'encrypt', step: step.name, sentAt, jwe, summary: 'a JWE' });
}

/** Makes a JWE for a later step, and sends nothing. */
export const encrypt = defineStepVerb(encryptDefinition, { run: runEncrypt });
