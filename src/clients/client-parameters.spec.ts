import { parseClientParameters } from './client-parameters.middleware.js';

describe('Ids of forms', () => {
  it.each([
    ['client[form_ids]=[1,2]', [1, 2]],
    ['client[form_ids]= [ 1 , 2 ] ', [1, 2]],
    ['client[form_ids]=1,2', [1, 2]],
    ['client[form_ids]=1', [1]],
    ['client[form_ids][0]=1&client[form_ids][1]=2', [1, 2]],
    ['client[form_ids][]=1,2&client[form_ids][]=[3]', [1, 2, 3]],
    ['client%5Bform_ids%5D%5B%5D=1&client%5bform_ids%5d%5b%5d=2', [1, 2]],
    ['client[form_ids]=[]', []],
    ['client[form_ids][]=', []],
  ])('are read from %s', (text, ids) => {
    expect(parseClientParameters(text)).toEqual({ client: { form_ids: ids } });
  });

  it.each([
    ['client[form_ids]=[1,x]', [1, 'x']],
    ['client[form_ids]=1.5', ['1.5']],
    ['client[form_ids]=1e3', ['1e3']],
    ['client[form_ids]=[[1]]', ['[1]']],
    ['client[form_ids]=9999999999999999', ['9999999999999999']],
  ])('that are none are left for the validation to refuse: %s', (text, ids) => {
    expect(parseClientParameters(text)).toEqual({ client: { form_ids: ids } });
  });
});

describe('The other parameters', () => {
  it('are text, but for the flag', () => {
    const text = 'client[name]=Jane+Doe&client[email]=a%2Bb@example.com&client[can_create_forms]=true';

    expect(parseClientParameters(text)).toEqual({
      client: { name: 'Jane Doe', email: 'a+b@example.com', can_create_forms: true },
    });
  });

  it.each([
    ['TRUE', true],
    ['1', true],
    ['False', false],
    ['0', false],
    ['yes', 'yes'],
    ['', ''],
  ])('give the flag %j as %j', (written, read) => {
    expect(parseClientParameters(`client[can_create_forms]=${written}`)).toEqual({
      client: { can_create_forms: read },
    });
  });

  it('keep unknown names, for the validation to refuse', () => {
    const text = 'client[admin]=1&name=x&client=2&client[a][b]=3&clients[name]=4';

    expect(parseClientParameters(text)).toEqual({
      name: 'x',
      'client[a][b]': '3',
      'clients[name]': '4',
      client: { admin: '1' },
    });
  });

  it('never reach a prototype', () => {
    const read = parseClientParameters(
      'client[__proto__]=1&client[constructor]=2&__proto__=3&__proto__[x]=4&client[__proto__][x]=5',
    );

    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(read?.client)).toBe(Object.prototype);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});
