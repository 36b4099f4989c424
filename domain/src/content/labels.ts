import { bestLanguage } from '../account/language.ts';

const words = [
  ...(['close', 'next', 'back', 'done', 'skip', 'snooze'] as const),
  ...(['submit', 'open', 'completed', 'progress', 'more', 'choose'] as const),
];

/** The labels of the browser script by language. The script itself has the English ones. */
const translated: Record<string, string> = {
  ar: 'إغلاق|التالي|رجوع|تم|تخطّي|ذكّرني لاحقًا|إرسال|فتح|مكتمل|الخطوة {0} من {1}|المزيد|اختر…',
  cs: 'Zavřít|Další|Zpět|Hotovo|Přeskočit|Připomenout později|Odeslat|Otevřít|Dokončeno|Krok {0} z {1}|Více|Vyberte…',
  da: 'Luk|Næste|Tilbage|Færdig|Spring over|Påmind mig senere|Send|Åbn|Fuldført|Trin {0} af {1}|Mere|Vælg…',
  de: 'Schließen|Weiter|Zurück|Fertig|Überspringen|Später erinnern|Senden|Öffnen|Erledigt|Schritt {0} von {1}|Mehr|Auswählen…',
  el: 'Κλείσιμο|Επόμενο|Πίσω|Τέλος|Παράλειψη|Υπενθύμιση αργότερα|Αποστολή|Άνοιγμα|Ολοκληρώθηκε|Βήμα {0} από {1}|Περισσότερα|Επιλέξτε…',
  es: 'Cerrar|Siguiente|Atrás|Listo|Omitir|Recordármelo más tarde|Enviar|Abrir|Completado|Paso {0} de {1}|Más|Elegir…',
  fi: 'Sulje|Seuraava|Takaisin|Valmis|Ohita|Muistuta myöhemmin|Lähetä|Avaa|Suoritettu|Vaihe {0}/{1}|Lisää|Valitse…',
  fr: 'Fermer|Suivant|Retour|Terminé|Passer|Me le rappeler plus tard|Envoyer|Ouvrir|Terminé|Étape {0} sur {1}|Plus|Choisir…',
  he: 'סגירה|הבא|חזרה|סיום|דילוג|להזכיר לי מאוחר יותר|שליחה|פתיחה|הושלם|שלב {0} מתוך {1}|עוד|בחירה…',
  hu: 'Bezárás|Tovább|Vissza|Kész|Kihagyás|Emlékeztessen később|Küldés|Megnyitás|Kész|{0}. lépés, összesen {1}|Több|Válasszon…',
  id: 'Tutup|Berikutnya|Kembali|Selesai|Lewati|Ingatkan saya nanti|Kirim|Buka|Selesai|Langkah {0} dari {1}|Lainnya|Pilih…',
  it: 'Chiudi|Avanti|Indietro|Fine|Salta|Ricordamelo più tardi|Invia|Apri|Completato|Passaggio {0} di {1}|Altro|Scegli…',
  ja: '閉じる|次へ|戻る|完了|スキップ|後で通知|送信|開く|完了|ステップ {0} / {1}|その他|選択…',
  ko: '닫기|다음|뒤로|완료|건너뛰기|나중에 알림|보내기|열기|완료됨|{1}단계 중 {0}단계|더 보기|선택…',
  nb: 'Lukk|Neste|Tilbake|Ferdig|Hopp over|Påminn meg senere|Send|Åpne|Fullført|Trinn {0} av {1}|Mer|Velg…',
  nl: 'Sluiten|Volgende|Terug|Klaar|Overslaan|Herinner me later|Versturen|Openen|Voltooid|Stap {0} van {1}|Meer|Kies…',
  pl: 'Zamknij|Dalej|Wstecz|Gotowe|Pomiń|Przypomnij później|Wyślij|Otwórz|Ukończono|Krok {0} z {1}|Więcej|Wybierz…',
  pt: 'Fechar|Próximo|Voltar|Concluir|Pular|Lembrar mais tarde|Enviar|Abrir|Concluído|Passo {0} de {1}|Mais|Escolher…',
  ro: 'Închide|Înainte|Înapoi|Gata|Omite|Amintește-mi mai târziu|Trimite|Deschide|Finalizat|Pasul {0} din {1}|Mai mult|Alege…',
  ru: 'Закрыть|Далее|Назад|Готово|Пропустить|Напомнить позже|Отправить|Открыть|Выполнено|Шаг {0} из {1}|Ещё|Выберите…',
  sv: 'Stäng|Nästa|Tillbaka|Klar|Hoppa över|Påminn mig senare|Skicka|Öppna|Slutfört|Steg {0} av {1}|Mer|Välj…',
  tr: 'Kapat|İleri|Geri|Bitti|Atla|Daha sonra hatırlat|Gönder|Aç|Tamamlandı|Adım {0} / {1}|Daha fazla|Seçin…',
  uk: 'Закрити|Далі|Назад|Готово|Пропустити|Нагадати пізніше|Надіслати|Відкрити|Виконано|Крок {0} з {1}|Більше|Виберіть…',
  vi: 'Đóng|Tiếp theo|Quay lại|Xong|Bỏ qua|Nhắc tôi sau|Gửi|Mở|Đã hoàn thành|Bước {0} trên {1}|Thêm|Chọn…',
  zh: '关闭|下一步|返回|完成|跳过|稍后提醒|发送|打开|已完成|第 {0} 步，共 {1} 步|更多|请选择…',
  'zh-TW': '關閉|下一步|返回|完成|略過|稍後提醒|傳送|開啟|已完成|第 {0} 步，共 {1} 步|更多|請選擇…',
};

const sameLabels: Record<string, string> = {
  no: 'nb',
  nn: 'nb',
  'zh-HK': 'zh-TW',
  'zh-MO': 'zh-TW',
  'zh-Hant': 'zh-TW',
};

const labels = new Map(
  Object.entries({
    ...translated,
    ...Object.fromEntries(Object.entries(sameLabels).map(([code, other]) => [code, translated[other] ?? ''])),
  }).map(([code, texts]) => {
    const all = texts.split('|');
    return [code, Object.fromEntries(words.map((word, at) => [word, all[at] ?? '']))];
  }),
);

/** The labels for the language of a browser; undefined for English. */
export function labelsFor(browserLanguage: string | null): Record<string, string> | undefined {
  return labels.get(bestLanguage(browserLanguage, labels));
}
