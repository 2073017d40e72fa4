import { readSuites } from '../../setup/read-files.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import type { GenerateGround } from './files.ts';

/** A target that can do everything without a person. Cases state their own requirements, which other targets may lack. */
const everyAbility: TargetAbilities = {
  approve: true,
  deny: true,
  look: true,
  binding: true,
  userinfo: true,
  untick: true,
  wait: true,
  cancel: true,
  consent: true,
  moveSim: true,
  rotateKeys: true,
  severalPending: true,
  secondClient: true,
  swapSim: true,
  tenure: true,
  setFlag: true,
  latency: { event: 0, callback: 0, simSwap: 0 },
};

export const readGround = async (): Promise<GenerateGround> => ({
  suites: await readSuites([]),
  abilities: everyAbility,
});
