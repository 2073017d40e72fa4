import { errorCodes } from '../../../model/error-codes.ts';
import { levels } from '../../../model/rule.ts';
import type { Outcome } from '../../../model/verdict.ts';
import { severity } from '../../../model/verdict.ts';
import { verdictLegend } from '../../../report/shared/prose.ts';
import { exitCodeOfStop } from '../../exit-codes.ts';
import { fact, nameOf } from '../blocks.ts';
import { defineKind, headOf, rulesFact } from './kind.ts';

export const verdictKind = defineKind({
  name: 'verdict',
  many: 'verdicts',
  entries: () =>
    severity.map((name) => ({
      name,
      description: verdictLegend[name],
      blocks: () => headOf(name, 'a verdict of a case, an invariant or a rule', verdictLegend[name]),
    })),
});

const runOutcomes: Readonly<Record<Outcome, string>> = {
  conformant: 'every selected required rule that applies was judged, and none is broken; exit code 0',
  'not conformant': 'a required rule is broken; exit code 1',
  'not judged':
    'nothing broken was found, and no required rule was among what was judged, so nothing is said of the carrier; exit code 0',
  incomplete: 'nothing broken was found, and not everything selected could be judged; exit code 4',
};

export const resultKind = defineKind({
  name: 'result',
  many: 'outcomes of runs',
  entries: () =>
    Object.entries(runOutcomes).map(([name, description]) => ({
      name,
      description,
      blocks: () => headOf(name, 'what a run comes to', description),
    })),
});

const levelWords: Readonly<Record<(typeof levels)[number], string>> = {
  required: 'the interface states it: a carrier that breaks it is not conformant',
  recommended: 'a carrier should do so: one that does not gets a warning',
  informational: 'the interface leaves it open: what the carrier does is recorded',
};

export const levelKind = defineKind({
  name: 'level',
  many: 'levels of rules',
  entries: ({ suites }) =>
    levels.map((name) => ({
      name,
      description: levelWords[name],
      facts: { rules: String(suites.rules.filter(({ level }) => level === name).length) },
      blocks: () => [
        ...headOf(name, 'a level of rules', levelWords[name]),
        ...fact('list', `carrierspec list --level ${name}`, { whole: true }),
      ],
    })),
});

export const codeKind = defineKind({
  name: 'code',
  many: 'error codes of carrierspec',
  entries: () =>
    Object.entries(errorCodes).map(([name, { kind, doc }]) => ({
      name,
      description: doc,
      facts: { 'exit code': String(exitCodeOfStop(kind)) },
      blocks: () => [
        ...headOf(name, 'an error code of carrierspec', doc),
        ...fact('exit code', String(exitCodeOfStop(kind))),
      ],
    })),
});

export const limitKind = defineKind({
  name: 'limit',
  many: 'limits that measure finds',
  entries: ({ limits, suites }) =>
    limits().limits.map(({ name, title, rules, unit, found, beyond }) => ({
      name,
      description: title,
      facts: { unit },
      blocks: () => [
        ...headOf(name, 'a limit that measure finds', title),
        ...rulesFact(
          'rule',
          rules.map(({ rule }) => rule),
          suites,
        ),
        ...fact('unit', unit),
        ...fact('says', `${found}; or ${beyond}`),
        ...fact('find it', `carrierspec measure ${name}`, { whole: true }),
      ],
    })),
});

export const profileKind = defineKind({
  name: 'profile',
  many: 'entries of the profile',
  entries: ({ limits, suites }) =>
    limits().profile.map(({ name, description, case: of, record }) => ({
      name,
      description,
      facts: { case: of },
      blocks: () => [
        ...headOf(name, 'an entry of the profile: what the interface leaves open', description),
        ...fact('recorded', [`${record} of the case `, nameOf('case', of)]),
        ...rulesFact(
          'rule',
          suites.cases
            .filter(({ id }) => id === of || id.startsWith(`${of}/`))
            .flatMap((one) => one.rules.map(({ rule }) => rule)),
          suites,
        ),
        ...fact('find it', `carrierspec measure ${name}`, { whole: true }),
      ],
    })),
});
