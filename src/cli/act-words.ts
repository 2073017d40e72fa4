import { findAction } from '../model/action.ts';
import type { Json } from '../model/json.ts';
import type { Act, Difference, HttpAct, ReceiverAnswer, TemplateMap } from '../model/suite.ts';
import type { Template } from '../model/template.ts';
import { cutText } from '../report/sanitize.ts';

/** Characters of a value beside a step. */
const valueLimit = 160;

/** A value as the suite has it; one that is a template alone stands without quotes. */
export function renderValue(source: Json): string {
  const template = typeof source === 'string' && /^\{\{[^{}]*\}\}$/.test(source);
  return cutText(template ? source : JSON.stringify(source), valueLimit);
}

const members = (prefix: string, map: TemplateMap = []): string[] =>
  map.map(([name, { source }]) => `${prefix}${name} = ${renderValue(source)}`);

const one = (label: string, template: Template | undefined): string[] =>
  template === undefined ? [] : [`${label} ${renderValue(template.source)}`];

const named = (before: string, name: string | undefined): string[] => (name === undefined ? [] : [`${before} ${name}`]);

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

function httpWords({ to, method, path, query, headers, json, form, text }: HttpAct): readonly string[] {
  const at = path === undefined ? '' : ` followed by ${renderValue(path.source)}`;
  return [
    `${method} to the ${to} endpoint${at}`,
    ...members('query: ', query),
    ...members('header field ', headers),
    ...one('JSON body', json),
    ...members('form: ', form),
    ...one('body', text),
  ];
}

const of = (step: string | undefined): string => (step === undefined ? '' : ` (of step ${step})`);

/** What a step does: its act first, then what is particular about it. */
export function actWords(act: Act): readonly [act: string, ...details: string[]] {
  switch (act.verb) {
    case 'authorize': {
      const differences = differenceWords(act.difference);
      const [detail, ...more] = differences.length === 0 ? ['as the base request, nothing different'] : differences;
      return ['a request object is sent', detail ?? '', ...more];
    }
    case 'trigger': {
      const maybe = act.ifPossible ? ', if that is possible' : '';
      return [`${findAction(act.action)?.says ?? act.action}${of(act.of)}${maybe}`, ...members('with ', act.with)];
    }
    case 'await': {
      const until = act.until === undefined ? 'for 30 s' : `until ${act.until.source}`;
      return [`callbacks are awaited${of(act.of)} ${until}`];
    }
    case 'look':
      return [`somebody looks at the ${act.what} on the phone${of(act.of)}`];
    case 'http': {
      const [first = '', ...rest] = httpWords(act.request);
      return [first, ...rest];
    }
  }
}

/** One scripted answer of our receiver. */
export function receiverWords({ status, body, headers = {}, delay, reset }: ReceiverAnswer): string {
  const late = delay === undefined ? '' : ` after ${delay} s`;
  if (reset === true) return `the connection is reset${late}`;
  const lines = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  return `HTTP ${status}${late}${lines.join('')}${body === undefined ? '' : `, body ${renderValue(body)}`}`;
}
