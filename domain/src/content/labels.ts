import { bestLanguage } from '../account/language.ts';

const words = [
  ...(['close', 'next', 'back', 'done', 'skip', 'snooze'] as const),
  ...(['submit', 'open', 'completed', 'progress', 'more', 'choose'] as const),
  ...(['return', 'faces', 'play', 'few', 'short'] as const),
];

/** The labels of the browser script by language. The script itself has the English ones. `faces` are five names, from bad to good. */
const translated: Record<string, string> = {
  ar: 'إغلاق|التالي|رجوع|تم|تخطّي|ذكّرني لاحقًا|إرسال|فتح|مكتمل|الخطوة {0} من {1}|المزيد|اختر…|العودة إلى الخطوة|غير راضٍ جدًا,غير راضٍ,محايد,راضٍ,راضٍ جدًا|تشغيل|اختر {0} على الأقل|عدد الأحرف على الأقل: {0}',
  cs: 'Zavřít|Další|Zpět|Hotovo|Přeskočit|Připomenout později|Odeslat|Otevřít|Dokončeno|Krok {0} z {1}|Více|Vyberte…|Zpět ke kroku|Velmi nespokojen,Nespokojen,Neutrální,Spokojen,Velmi spokojen|Přehrát|Vyberte alespoň {0}|Minimální počet znaků: {0}',
  da: 'Luk|Næste|Tilbage|Færdig|Spring over|Påmind mig senere|Send|Åbn|Fuldført|Trin {0} af {1}|Mere|Vælg…|Tilbage til trinnet|Meget utilfreds,Utilfreds,Neutral,Tilfreds,Meget tilfreds|Afspil|Vælg mindst {0}|Skriv mindst {0} tegn',
  de: 'Schließen|Weiter|Zurück|Fertig|Überspringen|Später erinnern|Senden|Öffnen|Erledigt|Schritt {0} von {1}|Mehr|Auswählen…|Zurück zum Schritt|Sehr unzufrieden,Unzufrieden,Neutral,Zufrieden,Sehr zufrieden|Abspielen|Wählen Sie mindestens {0} aus|Schreiben Sie mindestens {0} Zeichen',
  el: 'Κλείσιμο|Επόμενο|Πίσω|Τέλος|Παράλειψη|Υπενθύμιση αργότερα|Αποστολή|Άνοιγμα|Ολοκληρώθηκε|Βήμα {0} από {1}|Περισσότερα|Επιλέξτε…|Πίσω στο βήμα|Πολύ δυσαρεστημένος,Δυσαρεστημένος,Ουδέτερος,Ευχαριστημένος,Πολύ ευχαριστημένος|Αναπαραγωγή|Επιλέξτε τουλάχιστον {0}|Γράψτε τουλάχιστον {0} χαρακτήρες',
  es: 'Cerrar|Siguiente|Atrás|Listo|Omitir|Recordármelo más tarde|Enviar|Abrir|Completado|Paso {0} de {1}|Más|Elegir…|Volver al paso|Muy insatisfecho,Insatisfecho,Neutral,Satisfecho,Muy satisfecho|Reproducir|Elija al menos {0}|Escriba al menos {0} caracteres',
  fi: 'Sulje|Seuraava|Takaisin|Valmis|Ohita|Muistuta myöhemmin|Lähetä|Avaa|Suoritettu|Vaihe {0}/{1}|Lisää|Valitse…|Takaisin vaiheeseen|Erittäin tyytymätön,Tyytymätön,Neutraali,Tyytyväinen,Erittäin tyytyväinen|Toista|Valitse vähintään {0}|Kirjoita vähintään {0} merkkiä',
  fr: 'Fermer|Suivant|Retour|Terminé|Passer|Me le rappeler plus tard|Envoyer|Ouvrir|Terminé|Étape {0} sur {1}|Plus|Choisir…|Revenir à l’étape|Très insatisfait,Insatisfait,Neutre,Satisfait,Très satisfait|Lire|Choisissez-en au moins {0}|Écrivez au moins {0} caractères',
  he: 'סגירה|הבא|חזרה|סיום|דילוג|להזכיר לי מאוחר יותר|שליחה|פתיחה|הושלם|שלב {0} מתוך {1}|עוד|בחירה…|חזרה לשלב|מאוד לא מרוצה,לא מרוצה,ניטרלי,מרוצה,מרוצה מאוד|הפעלה|יש לבחור לפחות {0}|יש לכתוב לפחות {0} תווים',
  hu: 'Bezárás|Tovább|Vissza|Kész|Kihagyás|Emlékeztessen később|Küldés|Megnyitás|Kész|{0}. lépés, összesen {1}|Több|Válasszon…|Vissza a lépéshez|Nagyon elégedetlen,Elégedetlen,Semleges,Elégedett,Nagyon elégedett|Lejátszás|Válasszon legalább {0} lehetőséget|Írjon legalább {0} karaktert',
  id: 'Tutup|Berikutnya|Kembali|Selesai|Lewati|Ingatkan saya nanti|Kirim|Buka|Selesai|Langkah {0} dari {1}|Lainnya|Pilih…|Kembali ke langkah|Sangat tidak puas,Tidak puas,Netral,Puas,Sangat puas|Putar|Pilih minimal {0}|Tulis minimal {0} karakter',
  it: 'Chiudi|Avanti|Indietro|Fine|Salta|Ricordamelo più tardi|Invia|Apri|Completato|Passaggio {0} di {1}|Altro|Scegli…|Torna al passaggio|Molto insoddisfatto,Insoddisfatto,Neutrale,Soddisfatto,Molto soddisfatto|Riproduci|Scegline almeno {0}|Scrivi almeno {0} caratteri',
  ja: '閉じる|次へ|戻る|完了|スキップ|後で通知|送信|開く|完了|ステップ {0} / {1}|その他|選択…|ステップに戻る|とても不満,不満,どちらでもない,満足,とても満足|再生|{0} 個以上選択してください|{0} 文字以上で入力してください',
  ko: '닫기|다음|뒤로|완료|건너뛰기|나중에 알림|보내기|열기|완료됨|{1}단계 중 {0}단계|더 보기|선택…|단계로 돌아가기|매우 불만족,불만족,보통,만족,매우 만족|재생|{0}개 이상 선택하세요|{0}자 이상 입력하세요',
  nb: 'Lukk|Neste|Tilbake|Ferdig|Hopp over|Påminn meg senere|Send|Åpne|Fullført|Trinn {0} av {1}|Mer|Velg…|Tilbake til trinnet|Svært misfornøyd,Misfornøyd,Nøytral,Fornøyd,Svært fornøyd|Spill av|Velg minst {0}|Skriv minst {0} tegn',
  nl: 'Sluiten|Volgende|Terug|Klaar|Overslaan|Herinner me later|Versturen|Openen|Voltooid|Stap {0} van {1}|Meer|Kies…|Terug naar de stap|Zeer ontevreden,Ontevreden,Neutraal,Tevreden,Zeer tevreden|Afspelen|Kies er minstens {0}|Schrijf minstens {0} tekens',
  pl: 'Zamknij|Dalej|Wstecz|Gotowe|Pomiń|Przypomnij później|Wyślij|Otwórz|Ukończono|Krok {0} z {1}|Więcej|Wybierz…|Wróć do kroku|Bardzo niezadowolony,Niezadowolony,Neutralny,Zadowolony,Bardzo zadowolony|Odtwórz|Wybierz co najmniej {0}|Minimalna liczba znaków: {0}',
  pt: 'Fechar|Próximo|Voltar|Concluir|Pular|Lembrar mais tarde|Enviar|Abrir|Concluído|Passo {0} de {1}|Mais|Escolher…|Voltar ao passo|Muito insatisfeito,Insatisfeito,Neutro,Satisfeito,Muito satisfeito|Reproduzir|Escolha pelo menos {0}|Escreva pelo menos {0} caracteres',
  ro: 'Închide|Înainte|Înapoi|Gata|Omite|Amintește-mi mai târziu|Trimite|Deschide|Finalizat|Pasul {0} din {1}|Mai mult|Alege…|Înapoi la pas|Foarte nemulțumit,Nemulțumit,Neutru,Mulțumit,Foarte mulțumit|Redă|Alegeți cel puțin {0}|Număr minim de caractere: {0}',
  ru: 'Закрыть|Далее|Назад|Готово|Пропустить|Напомнить позже|Отправить|Открыть|Выполнено|Шаг {0} из {1}|Ещё|Выберите…|Вернуться к шагу|Очень недоволен,Недоволен,Нейтрально,Доволен,Очень доволен|Воспроизвести|Выберите не менее {0}|Минимум символов: {0}',
  sv: 'Stäng|Nästa|Tillbaka|Klar|Hoppa över|Påminn mig senare|Skicka|Öppna|Slutfört|Steg {0} av {1}|Mer|Välj…|Tillbaka till steget|Mycket missnöjd,Missnöjd,Neutral,Nöjd,Mycket nöjd|Spela upp|Välj minst {0}|Skriv minst {0} tecken',
  tr: 'Kapat|İleri|Geri|Bitti|Atla|Daha sonra hatırlat|Gönder|Aç|Tamamlandı|Adım {0} / {1}|Daha fazla|Seçin…|Adıma dön|Hiç memnun değil,Memnun değil,Nötr,Memnun,Çok memnun|Oynat|En az {0} seçenek seçin|En az {0} karakter yazın',
  uk: 'Закрити|Далі|Назад|Готово|Пропустити|Нагадати пізніше|Надіслати|Відкрити|Виконано|Крок {0} з {1}|Більше|Виберіть…|Повернутися до кроку|Дуже незадоволений,Незадоволений,Нейтрально,Задоволений,Дуже задоволений|Відтворити|Виберіть щонайменше {0}|Мінімум символів: {0}',
  vi: 'Đóng|Tiếp theo|Quay lại|Xong|Bỏ qua|Nhắc tôi sau|Gửi|Mở|Đã hoàn thành|Bước {0} trên {1}|Thêm|Chọn…|Quay lại bước|Rất không hài lòng,Không hài lòng,Bình thường,Hài lòng,Rất hài lòng|Phát|Chọn ít nhất {0}|Viết ít nhất {0} ký tự',
  zh: '关闭|下一步|返回|完成|跳过|稍后提醒|发送|打开|已完成|第 {0} 步，共 {1} 步|更多|请选择…|返回步骤|非常不满意,不满意,一般,满意,非常满意|播放|请至少选择 {0} 项|请至少输入 {0} 个字符',
  'zh-TW':
    '關閉|下一步|返回|完成|略過|稍後提醒|傳送|開啟|已完成|第 {0} 步，共 {1} 步|更多|請選擇…|返回步驟|非常不滿意,不滿意,普通,滿意,非常滿意|播放|請至少選擇 {0} 項|請至少輸入 {0} 個字元',
};

const sameLabels: Record<string, string> = {
  no: 'nb',
  nn: 'nb',
  'zh-HK': 'zh-TW',
  'zh-MO': 'zh-TW',
  'zh-Hant': 'zh-TW',
};

const languages = Object.keys(translated).map((code) => [code, code] as const);
const labels = new Map(
  [...languages, ...Object.entries(sameLabels)].map(([code, language]) => {
    const all = translated[language]?.split('|') ?? [];
    return [code, { language, ...Object.fromEntries(words.map((word, at) => [word, all[at] ?? ''])) }];
  }),
);

/** The labels for the language of a browser, and `language`: the one that they are in. Undefined for English. */
export function labelsFor(browserLanguage: string | null): Record<string, string> | undefined {
  return labels.get(bestLanguage(browserLanguage, labels));
}
