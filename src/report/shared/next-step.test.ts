import { describe, expect, test } from 'vitest';
import type { Result, ResultFooter, ResultHeader } from '../../model/result.ts';
import { buildFooter, buildHeader, buildResult, buildRule } from '../../testing/results/result.ts';
import { nextStep } from './next-step.ts';

const own = ['--target', 'my carrier.yaml'];
const build = (header: Partial<ResultHeader>, footer: Partial<ResultFooter> = {}, rules = [buildRule()]): Result =>
  buildResult({ header: buildHeader({ profile: 'interface', ...header }), footer: buildFooter(footer), rules });
const unfollowed = [buildRule({ id: 'REQ-009', level: 'recommended', verdict: 'warn', standing: 'not followed' })];
const red = [buildRule({ verdict: 'fail' })];
const broken = { outcome: 'not conformant', ending: 'broken', exitCode: 1 } as const;

const { footer: _, ...cutOff } = build({ flags: own });

describe('the next command', () => {
  test.each<[string, Result, string | undefined]>([
    [
      'a whole run that passes',
      build({ flags: own }),
      'carrierspec certify out/result.json --key KEY  signs the outcome',
    ],
    [
      'of the reference carrier',
      build({ flags: [] }),
      'carrierspec init  writes a target file for a carrier of your own',
    ],
    ['of one with a fault', build({ flags: ['--fault', 'iat-not-checked'] }), undefined],
    [
      'a part that passes',
      build({ flags: own, selection: ['callback'] }),
      "carrierspec run --target 'my carrier.yaml'  judges every rule",
    ],
    [
      'all but an area',
      build({ flags: [...own, '--without', 'baseline'] }),
      "carrierspec run --target 'my carrier.yaml'  judges every rule",
    ],
    [
      'a part of what is fit for production, which stays so',
      build({ flags: [...own, '--without', 'unsafe', '--without', 'baseline'], selection: ['callback'] }),
      "carrierspec run --target 'my carrier.yaml' --without unsafe  judges every rule that is fit for production",
    ],
    [
      'all that is fit for production',
      build({ flags: [...own, '--without', 'unsafe'] }),
      'carrierspec certify out/result.json --key KEY  signs the outcome',
    ],
    [
      'what failed',
      build({ flags: own }, broken, red),
      "carrierspec run --last-failed --target 'my carrier.yaml' --out out  runs the cases without a pass again",
    ],
    [
      'what failed because it was named',
      build({ flags: own }, { ...broken, named: ['REQ-015'] }, red),
      "carrierspec run --last-failed --target 'my carrier.yaml' --out out --profile strict  runs the cases without a pass again",
    ],
    [
      'a recommendation that is not followed',
      build({ flags: own, selection: ['callback'] }, {}, unfollowed),
      "carrierspec run callback --target 'my carrier.yaml' --profile strict  counts the rules that are not followed",
    ],
    [
      'one of many names',
      build({ flags: own, selection: ['a', 'b', 'c', 'd'] }, {}, unfollowed),
      "carrierspec run --last-failed --target 'my carrier.yaml' --out out --profile strict  counts the rules that are not followed",
    ],
    [
      'interrupted, where the program says how to resume',
      build({ flags: own }, { interrupted: true, ending: 'interrupted' }),
      undefined,
    ],
    [
      'interrupted, of the reference carrier',
      build({ flags: [], selection: ['callback'] }, { interrupted: true, ending: 'interrupted' }),
      'carrierspec run callback  runs it again',
    ],
    ['cut off', cutOff, "carrierspec run --resume --target 'my carrier.yaml' --out out  goes on where it stopped"],
  ])('of %s', (_, result, command) => expect(nextStep(result, 'out/result.json')).toBe(command));
});
