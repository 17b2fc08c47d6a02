import { Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { hook, Hooks } from './hooks.js';

const Fed = hook<(name: string) => void>();
const NameOf = hook<(id: number) => string>();
const Painted = hook<() => void, { colour: string }>();

class Keeper {
  readonly fed: string[] = [];

  @Fed()
  note(name: string): void {
    this.fed.push(name);
  }

  @NameOf()
  nameOf(id: number): string {
    return `Ape ${id}`;
  }
}

class Cook {
  readonly fed: string[] = [];

  @Fed()
  note(name: string): void {
    this.fed.push(name);
  }
}

@Module({})
class Zoo {}

const app = () =>
  NestFactory.createApplicationContext(
    { module: Zoo, imports: [DiscoveryModule], providers: [Hooks, Keeper, Cook] },
    { logger: false },
  );

describe('Hooks', () => {
  it('call all that follow an event, as methods of their providers', async () => {
    const zoo = await app();
    await zoo.get(Hooks).run(Fed, 'Ape');

    expect(zoo.get(Keeper).fed).toEqual(['Ape']);
    expect(zoo.get(Cook).fed).toEqual(['Ape']);
  });

  it('ask who answers a question, and fail where nobody does', async () => {
    const hooks = (await app()).get(Hooks);

    expect(hooks.ask(NameOf, 7)).toBe('Ape 7');
    expect(() => hooks.ask(hook<() => string>())).toThrow('No provider answers.');
    expect(hooks.all(Painted)).toEqual([]);
  });
});
