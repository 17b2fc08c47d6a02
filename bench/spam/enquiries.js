/**
 * Sixty messages of kinds that honest people send through forms, written for this gate: none of them may be
 * held. Each is the values of a form under their names.
 */
export const ENQUIRIES = [
  // English
  { name: 'Martha Quill', email: 'martha.quill@gmail.com', message: 'Hi' },
  { name: 'Tom', email: 'tom@brackenfarm.example', message: 'Price?' },
  {
    name: 'Owen Pratt',
    email: 'owen@pratt.example',
    phone: '+44 20 7946 0018',
    message:
      'Please call me back after 5 pm. I would like a quote for a loft conversion, about 40 square metres. My budget is £25,000 to £30,000.',
  },
  {
    name: 'Priya N.',
    email: 'priya@example.com',
    subject: 'Order 48213',
    message:
      'Hello, my order 48213 arrived today but one of the two lamps is broken. I paid $129.90 by credit card. Could you send a replacement or give me a refund? Photos: https://photos.example.com/album/48213',
  },
  {
    name: 'Dr. Lena Ruiz',
    email: 'l.ruiz@university.example',
    message:
      'Dear Sir or Madam,\n\nwe are organising a free summer school for 60 students and are looking for a sponsor. Would you be interested? The programme is at https://www.university.example/summer and our brochure is attached.\n\nBest regards,\nLena',
  },
  {
    name: 'Greg',
    email: 'greg@devshop.example',
    message:
      "The API returns 500 when I send this:\n\ncurl -X POST https://api.example.com/v1/items -d '{\"name\": null}'\n\nTypeError: Cannot read properties of null (reading 'trim')\n    at parse (index.js:42:13)",
  },
  {
    name: 'Susan Ho',
    email: 'susan.ho@outlook.com',
    message:
      'Following up on the mail below.\n\n> On 3 May you wrote:\n> We can offer you the room for 95 a night, breakfast included.\n> Please click the link in this mail to confirm.\n\nYes please, two nights from Friday.',
  },
  { name: 'Anonymous', email: '', message: 'Your opening hours on the website are wrong. Sunday is closed!!!' },
  {
    name: 'Kev',
    email: 'kev@yahoo.com',
    message: 'do u still have the red bike? is it still 100% original? would pay cash today',
  },
  {
    name: 'Amelia Stone',
    email: 'amelia@stone.example',
    message:
      'I would like to cancel my subscription and unsubscribe from the newsletter. I clicked the link in the mail three times but I still get it.',
  },
  {
    name: 'Jim Baker',
    email: 'jim@bakery.example',
    company: 'Baker & Sons',
    message:
      'We are a bakery with 3 shops and need a new website, online orders and better ranking on Google. What would that cost, and when could you start? See www.bakery.example for what we have now.',
  },
  {
    name: 'Rosa',
    email: 'rosa@example.com',
    message: 'Thank you!!! The flowers were AMAZING, everybody loved them ❤️❤️',
  },
  {
    name: 'Ben Adeyemi',
    email: 'ben@adeyemi.example',
    subject: 'Application',
    message:
      'I am applying for the position of senior accountant. I have ten years of experience with mortgage and loan accounting at two banks. My CV: https://drive.example.com/cv-adeyemi.pdf',
  },
  {
    name: 'Clinic visitor',
    email: 'h.mills@example.com',
    message:
      'Is the prescription for Viagra that Dr Wells wrote still valid, or do I need a new appointment? My insurance number is 77-402.',
  },
  {
    name: 'Helen',
    email: 'helen@example.org',
    message: '12345 is my customer number. Please change the address to: 14 Mill Lane, Harrogate HG1 2AB.',
  },
  // German
  { name: 'Jürgen Maß', email: 'j.mass@web.example', message: 'Angebot bitte' },
  {
    name: 'Familie Kröger',
    email: 'kroeger@example.de',
    telefon: '0511 / 123 45 67',
    message:
      'Guten Tag, wir möchten vom 3. bis 10. August ein Doppelzimmer mit Kinderbett buchen. Was kostet das mit Frühstück? Unser Budget liegt bei 900 €.',
  },
  {
    name: 'Sabine Otto',
    email: 'otto@kanzlei.example',
    betreff: 'Rechnung 2024-118',
    message:
      'Sehr geehrte Damen und Herren,\n\nin der Rechnung 2024-118 über 1.248,50 EUR fehlt die Umsatzsteuer. Bitte senden Sie uns eine korrigierte Fassung.\n\nMit freundlichen Grüßen\nSabine Otto',
  },
  { name: 'Murat', email: 'murat@gmail.com', message: 'Ist der Golf noch da? Letzter Preis?' },
  {
    name: 'Ingrid Weiß',
    email: 'i.weiss@example.de',
    message:
      'Der Link https://www.example.de/anmeldung geht nicht, es kommt Fehler 404. Können Sie mich bitte so für den Yogakurs am Dienstag anmelden?',
  },
  {
    name: 'Lukas',
    email: 'lukas@student.example',
    message:
      'Moin, in eurem Beispiel fehlt ein Semikolon:\n\nconst form = document.querySelector("form")\nform.addEventListener("submit", send)',
  },
  {
    name: 'Petra Lang',
    email: 'p.lang@example.de',
    message:
      '> Am 12.03. schrieb der Kundendienst:\n> Bitte bestätigen Sie den Termin.\n\nHiermit bestätige ich den Termin am Freitag um 14 Uhr. Gratis parken kann ich im Hof, oder?',
  },
  // French
  { name: 'Camille Dubois', email: 'camille.dubois@orange.example', message: 'Bonjour' },
  {
    name: 'Restaurant Le Pré',
    email: 'contact@lepre.example',
    telephone: '01 70 18 99 00',
    message:
      'Bonjour, nous cherchons un fournisseur de légumes bio pour notre restaurant, environ 50 kg par semaine. Pouvez-vous nous envoyer vos tarifs ? Notre site : https://www.lepre.example',
  },
  {
    name: 'Hélène',
    email: 'helene@example.fr',
    message:
      'Je n’ai toujours pas reçu mon colis commandé le 4 avril (89,90 €). Le numéro de suivi ne marche pas. Merci de me rembourser.',
  },
  { name: 'Youssef', email: 'youssef@example.fr', message: 'C’est combien pour une vidange ? Clio 4, 2015.' },
  {
    name: 'Mairie de Saint-Aubin',
    email: 'accueil@saint-aubin.example',
    objet: 'Fête du village',
    message:
      'Madame, Monsieur,\nla fête du village aura lieu le 14 juin. L’entrée est gratuite. Souhaitez-vous tenir un stand ? Réponse avant le 1er mai.',
  },
  {
    name: 'Paul',
    email: 'paul@example.fr',
    message: 'URGENT !! la chaudière est en panne depuis hier soir, plus de chauffage, 06 12 34 56 78, appelez-moi svp',
  },
  {
    name: 'Inès',
    email: 'ines@example.fr',
    message:
      'Super concert, merci à tous ! Les photos sont là : https://photos.example.fr/a/1 https://photos.example.fr/a/2 https://photos.example.fr/a/3',
  },
  // Spanish
  { name: 'Lucía Gómez', email: 'lucia.gomez@hotmail.com', message: 'Info' },
  {
    name: 'Carlos',
    email: 'carlos@taller.example',
    telefono: '+34 612 345 678',
    message:
      'Buenas tardes, ¿cuánto cuesta cambiar la pantalla de un móvil y cuánto tardan? Pago en efectivo, hasta 120 €.',
  },
  {
    name: 'María José',
    email: 'mj@example.es',
    message: 'Quisiera reservar una mesa para 8 personas el sábado a las 21:30. Dos somos celíacos. Gracias.',
  },
  {
    name: 'Ana Torres',
    email: 'ana@colegio.example',
    asunto: 'Visita',
    message:
      'Estimados señores: somos un colegio y nos gustaría visitar el museo con 45 alumnos. ¿Es gratis para escuelas? Nuestra web es http://www.colegio.example',
  },
  {
    name: 'Diego',
    email: 'diego@example.mx',
    message: 'El formulario me da este error: "Uncaught ReferenceError: $ is not defined". Uso Chrome.',
  },
  {
    name: 'Rocío',
    email: 'rocio@example.es',
    message:
      'He ganado el sorteo de la tienda según el correo que me enviaron, ¿es verdad o es una estafa? No he pulsado el enlace.',
  },
  {
    name: 'Javier',
    email: 'javier@example.es',
    message: '> ¿Le viene bien el lunes?\n\nSí, perfecto, el lunes a las 10.',
  },
  { name: 'Elena', email: 'elena@example.es', message: '¡¡¡Muchísimas gracias!!! Todo llegó perfecto.' },
  // Italian
  { name: 'Giulia Ferri', email: 'giulia@ferri.example', message: 'Preventivo' },
  {
    name: 'Marco',
    email: 'marco@libero.example',
    telefono: '333 1234567',
    message:
      'Salve, vorrei un preventivo per ristrutturare il bagno, circa 6 mq. Possiamo spendere al massimo 4.500 euro.',
  },
  {
    name: 'Agriturismo La Quercia',
    email: 'info@laquercia.example',
    message:
      'Buongiorno, vorremmo inserire il nostro agriturismo nella vostra guida. Il sito è https://www.laquercia.example e offriamo uno sconto del 10% ai vostri lettori.',
  },
  {
    name: 'Chiara',
    email: 'chiara@example.it',
    oggetto: 'Iscrizione corso',
    message: 'Mio figlio ha 9 anni: può iscriversi al corso di nuoto del mercoledì? Quanto costa al mese?',
  },
  {
    name: 'Luca',
    email: 'luca@example.it',
    message:
      "SELECT * FROM ordini WHERE stato = 'spedito';\n\nQuesta query del vostro tutorial non funziona con MySQL 8, potete controllare?",
  },
  {
    name: 'Paola',
    email: 'paola@example.it',
    message: 'Non riesco a entrare nel mio conto. Ho cambiato la password due volte. Aiuto!',
  },
  // Polish
  { name: 'Agnieszka Wójcik', email: 'a.wojcik@wp.example', message: 'Dzień dobry' },
  {
    name: 'Piotr',
    email: 'piotr@example.pl',
    telefon: '+48 601 234 567',
    message: 'Proszę o wycenę transportu 12 palet z Gdańska do Brna. Termin: przyszły wtorek. Budżet do 3500 zł.',
  },
  {
    name: 'Zofia',
    email: 'zofia@example.pl',
    message:
      'Czy sukienka z tej strony https://sklep.example.pl/p/991 jest jeszcze w rozmiarze 38? Ile kosztuje wysyłka?',
  },
  {
    name: 'Kancelaria Nowak',
    email: 'biuro@nowak.example',
    temat: 'Umowa',
    message:
      'Szanowni Państwo, w załączeniu przesyłam podpisaną umowę. Prosimy o potwierdzenie odbioru.\n\nZ poważaniem\nJan Nowak',
  },
  {
    name: 'Kasia',
    email: 'kasia@example.pl',
    message: '> Wizyta jest we wtorek o 9.\n\nNiestety nie mogę, proszę przełożyć na środę.',
  },
  { name: 'Tomek', email: 'tomek@example.pl', message: 'Super robota, dzięki wielkie! Polecam wszystkim 👍' },
  // Russian
  { name: 'Ольга', email: 'olga@example.ru', message: 'Здравствуйте' },
  {
    name: 'Сергей Петров',
    email: 'petrov@example.ru',
    phone: '+7 495 123-45-67',
    message:
      'Добрый день! Сколько стоит ремонт стиральной машины? Готов заплатить до 5000 рублей, нужен мастер завтра до обеда.',
  },
  {
    name: 'Анна',
    email: 'anna@example.ru',
    message:
      'Не могу оплатить заказ №7781, сайт https://shop.example.ru/pay выдаёт ошибку. Верните, пожалуйста, деньги.',
  },
  {
    name: 'Игорь',
    email: 'igor@example.ru',
    message: 'Подскажите, пожалуйста, есть ли свободные места на бесплатный вебинар в четверг?',
  },
  { name: 'Мария', email: 'maria@example.ru', message: '> Когда вам удобно?\n\nВ понедельник после 18:00. Спасибо!' },
  // Japanese
  { name: '田中', email: 'tanaka@example.jp', message: '予約希望' },
  {
    name: '佐藤花子',
    email: 'hanako@example.jp',
    電話: '03-1234-5678',
    message:
      'はじめまして。来月の10日に大人2名、子供1名で宿泊を希望しています。料金は1泊いくらでしょうか。予算は3万円です。',
  },
  {
    name: '株式会社みどり',
    email: 'info@midori.example',
    message:
      'お世話になっております。御社の製品カタログを送っていただけますか。弊社のサイトは https://www.midori.example です。よろしくお願いいたします。',
  },
  { name: '鈴木', email: 'suzuki@example.jp', message: '注文番号 55123 の商品がまだ届きません。確認をお願いします。' },
  {
    name: '高橋',
    email: 'takahashi@example.jp',
    message: '> ご都合はいかがでしょうか。\n\n金曜日の午後3時でお願いします。',
  },
  { name: '山本', email: 'yamamoto@example.jp', message: 'ありがとうございました！とても美味しかったです。' },
];
