import type { Json } from '../../model/json.ts';
import type { Difference, ProofDifference, TemplateMap, UsertraitDifference } from '../../model/suite.ts';
import type { Template } from '../../model/template.ts';
import { cutText } from '../../report/sanitize.ts';

/** Characters of a value beside a step. */
const valueLimit = 160;

/** A value as the suite has it; one that is a template alone stands without quotes. */
export function renderValue(source: Json): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), valueLimit);
}

export const members = (prefix: string, map: TemplateMap = []): string[] =>
  map.map(([name, { source }]) => `${prefix}${name} = ${renderValue(source)}`);

export const one = (label: string, template: Template | undefined): string[] =>
  template === undefined ? [] : [`${label} ${renderValue(template.source)}`];

export const named = (before: string, name: string | undefined): string[] =>
  name === undefined ? [] : [`${before} ${name}`];

/** Every deliberate difference from the base request, in the order of docs/suite-language.md. */
export function differenceWords(difference: Difference): readonly string[] {
  const { drop = [], dropHeader = [], raw = [], again } = difference;
  return [
    ...named('with the values and the key of the client', difference.client),
    ...members('claims.', difference.claims),
    ...drop.map((name) => `without claims.${name}`),
    ...raw.map(([name, { source }]) => `claims.${name} = the raw JSON text ${renderValue(source)}`),
    ...one('the claims followed by the raw text', difference.append),
    ...members('header.', difference.header),
    ...dropHeader.map((name) => `without header.${name}`),
    ...named('signed with the key', difference.key),
    ...named('signed with the algorithm', difference.alg),
    ...named('then changed:', difference.tamper),
    ...(again === undefined ? [] : [`exactly the object that step ${again} sent`]),
    ...one('the member request =', difference.request),
    ...members('beside request: ', difference.beside),
    ...one('the body =', difference.body),
    ...one('the body is the text', difference.text),
    ...(difference.form === true ? ['form-encoded instead of JSON'] : []),
    ...named('by the method', difference.method),
    ...members('query: ', difference.query),
    ...members('header field ', difference.headers),
  ];
}

function proofWords({ absent, value, over = {}, ...rest }: ProofDifference): readonly string[] {
  return [
    ...(absent === true ? ['without a proof of possession'] : []),
    ...one('the proof of possession is', value),
    ...differenceWords(rest).map((words) => `the proof of possession: ${words}`),
    ...one('the proof is made over the method', over.method),
    ...one('the proof is made over the URL', over.url),
    ...one('the proof is made over the body', over.body),
  ];
}

/** Every deliberate difference from the base usertrait request (§2.8, §4.7). */
export function usertraitWords(difference: UsertraitDifference): readonly string[] {
  const { drop = [], proof } = difference;
  return [
    ...named('with the values and the key of the client', difference.client),
    ...members('', difference.members),
    ...drop.map((name) => `without ${name}`),
    ...one('the body is the text', difference.text),
    ...(difference.form === true ? ['form-encoded instead of JSON'] : []),
    ...named('by the method', difference.method),
    ...members('header field ', difference.headers),
    ...(proof === undefined ? [] : proofWords(proof)),
  ];
}
